import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { expect, type KeyClient, stranger, test } from "../fixtures";
import { isOnStandIns } from "../product";

/** The creator of the examples: where the platform is YouTube, one that is really there. */
const EXAMPLE = isOnStandIns ? "@YouTube" : "@juniperfivecrits";

/** Commands for the reader's own machine. */
const NOT_RUN = ['export GROWTH_API_KEY="<your key>"', "npm install openapi-fetch"];

interface Snippet {
  language: string;
  text: string;
}

/** Every piece of code of every guide, as the product serves them. */
async function snippets(language: string): Promise<string[]> {
  const { text: list } = await stranger.get("/llms.txt");
  const pages = [...list.matchAll(/\((http[^)]+)\)/g)].map(([, url = ""]) => new URL(url).pathname);
  const found: Snippet[] = [];
  for (const page of pages.filter((each) => each.endsWith(".md"))) {
    const { status, headers, text } = await stranger.get(page);
    expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    for (const [, name = "", code = ""] of text.matchAll(/^```(\w+).*\n([\s\S]*?)\n```$/gm))
      found.push({ language: name, text: code });
  }
  const texts = found.filter((each) => each.language === language).map(({ text }) => text);
  return [...new Set(texts)].filter((text) => !NOT_RUN.includes(text));
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

/** Runs code as its reader does, with a key that tracks the creator of the examples. */
async function run(pro: KeyClient, program: string, words: string[]): Promise<string> {
  expect((await pro.post("/api/track", { channel_id: EXAMPLE })).status).toBe(200);
  const env = { ...process.env, GROWTH_API_KEY: pro.key };
  const { status, stdout, stderr } = spawnSync(program, words, { env, encoding: "utf8" });
  expect(status, `${words.join(" ")}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

test.describe("every snippet of the guides works as printed", () => {
  test.describe.configure({ timeout: 180_000 });

  test("in curl", async ({ pro }) => {
    test.skip(!isInstalled("curl"), "curl is not installed: its snippets are NOT run");
    const found = await snippets("sh");
    expect(found.length).toBeGreaterThanOrEqual(11);
    for (const text of found)
      expect(JSON.parse(await run(pro, "sh", ["-c", `${text} --silent`])), text).toMatchObject({
        status: "ok",
      });
  });

  test("in TypeScript", async ({ pro }) => {
    // Inside of the project, where its one dependency is installed.
    mkdirSync("test-results", { recursive: true });
    const folder = mkdtempSync(path.join("test-results", "snippets-"));
    try {
      cpSync("src/client", path.join(folder, "client"), { recursive: true });
      const found = await snippets("ts");
      expect(found.length).toBeGreaterThanOrEqual(15);
      const files = found.map((_, place) => path.join(folder, `${place}.mts`));
      for (const [place, text] of found.entries()) writeFileSync(files[place] ?? "", text);
      const built = { outdir: folder, outExtension: { ".js": ".mjs" }, logLevel: "warning" } as const;
      await build({
        entryPoints: files,
        ...built,
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node20",
      });
      for (const file of files) await run(pro, process.execPath, [file.replace(/\.mts$/, ".mjs")]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("in Python", async ({ pro }) => {
    test.skip(!isInstalled("python3"), "python3 is not installed: its snippets are NOT run");
    const found = await snippets("python");
    expect(found.length).toBeGreaterThanOrEqual(12);
    for (const text of found) await run(pro, "python3", ["-c", text]);
  });
});

test("the text of guides may be kept for a while, and a guide that is not there is 404", async () => {
  for (const page of ["/docs/limits.md", "/llms.txt"]) {
    const { status, headers } = await stranger.get(page);
    expect([status, headers.get("cache-control")], page).toEqual([200, "public, max-age=300"]);
  }
  // A page's nonce is used once.
  for (const page of ["/docs", "/docs/limits"]) {
    const { status, headers } = await stranger.get(page);
    expect([status, headers.get("cache-control")], page).toEqual([200, expect.stringContaining("no-store")]);
  }
  for (const page of ["/docs/nothing", "/docs/nothing.md"])
    expect((await stranger.get(page)).status).toBe(404);
});
