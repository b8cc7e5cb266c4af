import { spawnSync } from "node:child_process";
import { OperatorError } from "@/core/errors";
import { createProgram, type Output, print, runProgram } from "./command";

/** The variables without which a deployment on Vercel does not start. */
const VARIABLES = "DATABASE_URL,SESSION_SECRET,INNGEST_EVENT_KEY,INNGEST_SIGNING_KEY,RESEND_API_KEY,ALERT_EMAIL_FROM";
/** `https://host/path` or `git@host:path`, with or without a user, `ssh://` and `.git`. */
const REMOTE = /^(?:\w+:\/\/)?(?:[^@/]+@)?(github\.com|gitlab\.com|bitbucket\.org)[:/](.+?)(?:\.git)?\/?$/;

/** The address of a repository in a browser. @throws OperatorError when Vercel cannot clone it */
function findRepository(address = readOrigin()): string {
  const [, host, path] = REMOTE.exec(address.trim()) ?? [];
  if (!host) throw new OperatorError("Vercel clones from GitHub, GitLab and Bitbucket: name a repository there");
  return `https://${host}/${path}`;
}

function readOrigin(): string {
  const { status, stdout } = spawnSync("git", ["remote", "get-url", "origin"], { encoding: "utf8" });
  if (status !== 0) throw new OperatorError("This clone has no remote named origin: name the repository's address");
  return stdout;
}

function printLink(address: string | undefined, output: Output): void {
  const repository = findRepository(address);
  const query = new URLSearchParams({
    "repository-url": repository,
    env: VARIABLES,
    envDescription: "Steps 1 to 5 of docs/deploy-vercel.md come first: they make these and the tables.",
    envLink: `${repository}#deploy`,
  });
  const link = `https://vercel.com/new/clone?${query}`;
  const badge = `[![Deploy with Vercel](https://vercel.com/button)](${link})`;
  print(output, { link, badge }, `Link:\n${link}\n\nBadge for a README:\n${badge}`);
}

await runProgram(
  createProgram("tools -- deploy-link", "Print the link and the badge that deploy this repository on Vercel.")
    .argument("[repository]", "its address (the remote named origin)")
    .action(printLink),
);
