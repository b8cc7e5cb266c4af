import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readEnv } from "@/core/env";
import { runCli } from "@/test/programs";

const VALUES: Record<string, string> = {
  DATABASE_URL: "postgres://user:password@db.example/growth",
  SESSION_SECRET: "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL",
  INNGEST_EVENT_KEY: "event",
  INNGEST_SIGNING_KEY: "abcd",
  RESEND_API_KEY: "re_key",
  ALERT_EMAIL_FROM: "growth@growth.example",
};
const VERCEL = { VERCEL: "1", VERCEL_ENV: "production", VERCEL_PROJECT_PRODUCTION_URL: "growth.vercel.app" };
const REPOSITORY = "https://github.com/acme/growth";

const printLink = (...words: string[]) => runCli("deploy-link", [...words, "--json"], {});
const readQuery = (stdout: string) => new URL(JSON.parse(stdout).link).searchParams;

describe("npm run tools -- deploy-link", () => {
  it("asks for exactly the variables without which a deployment does not start", async () => {
    const query = readQuery((await printLink(REPOSITORY)).stdout);
    const names = query.get("env")?.split(",") ?? [];
    const deploy = (asked: string[]) =>
      readEnv({ ...VERCEL, ...Object.fromEntries(asked.map((name) => [name, VALUES[name]])) });
    expect(deploy(names)).toMatchObject({ serverless: true });
    for (const name of names) expect(() => deploy(names.filter((other) => other !== name))).toThrow(name);
  });

  it("names the repository and its README, without user or password, whatever form the address has", async () => {
    const forms = ["git@github.com:acme/growth.git", "https://me:secret@github.com/acme/growth.git", `${REPOSITORY}/`];
    for (const form of [...forms, "ssh://git@github.com/acme/growth"]) {
      const { stdout } = await printLink(form);
      expect(readQuery(stdout).get("repository-url")).toBe(REPOSITORY);
      expect(readQuery(stdout).get("envLink")).toBe(`${REPOSITORY}#deploy`);
    }
  });

  it("reads the address of the remote named origin", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-origin-"));
    const GIT_DIR = path.join(folder, ".git");
    const run = () => runCli("deploy-link", [], { GIT_DIR });
    execFileSync("git", ["init", "-q", folder]);
    expect((await run()).stderr).toBe("Error: This clone has no remote named origin: name the repository's address\n");
    execFileSync("git", ["-C", folder, "remote", "add", "origin", "git@gitlab.com:acme/growth.git"]);
    expect((await run()).stdout).toContain(
      "[![Deploy with Vercel](https://vercel.com/button)](https://vercel.com/new/clone?",
    );
    await rm(folder, { recursive: true });
  });

  it("refuses a host from which Vercel does not clone", async () => {
    const { code, stderr } = await printLink("https://git.example/acme/growth.git");
    expect(JSON.parse(stderr).error).toContain("Vercel clones from GitHub, GitLab and Bitbucket");
    expect(code).toBe(1);
  });
});
