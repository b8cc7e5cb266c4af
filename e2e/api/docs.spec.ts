import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { transform } from "esbuild";
import { expect, type KeyClient, stranger, test } from "../fixtures";
import { isOnStandIns } from "../product";

/** The creator of the examples: where the platform is YouTube, one that is really there. */
const EXAMPLE = isOnStandIns ? "@YouTube" : "@juniperfivecrits";

/** Commands that install something, or set the key. */
const NOT_RUN = /^(export|npm|python3) /;

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
    // What needs a generated client says so behind its language.
    for (const [, name = "", code = ""] of text.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm))
      found.push({ language: name, text: code });
  }
  const texts = found.filter((each) => each.language === language).map(({ text }) => text);
  return [...new Set(texts)];
}

function isInstalled(program: string, version = "--version"): boolean {
  return spawnSync(program, [version]).status === 0;
}

/** Works in a folder that is deleted afterwards. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "snippets-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs code as its reader does, with a key that tracks the creator of the examples. */
async function run(pro: KeyClient, program: string, words: string[], cwd = "."): Promise<string> {
  expect((await pro.post("/api/track", { channel_id: EXAMPLE })).status).toBe(200);
  const env = { ...process.env, GROWTH_API_KEY: pro.key };
  const { status, stdout, stderr } = spawnSync(program, words, { env, cwd, encoding: "utf8" });
  expect(status, `${words.join(" ")}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

test.describe("every snippet of the guides works as printed", () => {
  test.describe.configure({ timeout: 180_000 });

  test("in curl", async ({ pro }) => {
    test.skip(!isInstalled("curl"), "curl is not installed: its snippets are NOT run");
    const found = (await snippets("sh")).filter((text) => !NOT_RUN.test(text));
    expect(found.length).toBeGreaterThanOrEqual(11);
    for (const text of found)
      expect(JSON.parse(await run(pro, "sh", ["-c", `${text} --silent`])), text).toMatchObject({
        status: "ok",
      });
  });

  test("in JavaScript", async ({ pro }) => {
    const found = await snippets("js");
    expect(found.length).toBeGreaterThanOrEqual(14);
    for (const text of found) await run(pro, process.execPath, ["--input-type=module", "--eval", text]);
  });

  test("in TypeScript, with the client installed from the service", async ({ pro }) => {
    const [install = ""] = (await snippets("sh")).filter((text) => text.startsWith("npm install "));
    const found = await snippets("ts");
    expect(found.length).toBeGreaterThanOrEqual(6);
    await inFolder(async (folder) => {
      writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
      await run(pro, "sh", ["-c", `${install} --no-audit --no-fund`], folder);
      for (const [place, text] of found.entries()) {
        const { code } = await transform(text, { loader: "ts" });
        writeFileSync(path.join(folder, `${place}.js`), code);
      }
      for (const place of found.keys()) await run(pro, process.execPath, [`${place}.js`], folder);
      // It continues after the last change.
      const again = found.findIndex((text) => text.includes("cursor.txt"));
      expect(await run(pro, process.execPath, [`${again}.js`], folder)).toBe("");
    });
  });

  test("in Python", async ({ pro }) => {
    test.skip(!isInstalled("python3"), "python3 is not installed: its snippets are NOT run");
    const found = await snippets("python");
    expect(found.length).toBeGreaterThanOrEqual(12);
    // One program keeps its copy in a file. It runs twice: the second time there is a cursor.
    await inFolder(async (folder) => {
      for (const text of found) await run(pro, "python3", ["-c", text], folder);
      const mirror = found.filter((text) => text.includes("sqlite3"));
      expect(mirror).toHaveLength(1);
      await run(pro, "python3", ["-c", mirror[0] ?? ""], folder);
      const asked =
        "import sqlite3; print(sqlite3.connect('growth.sqlite').execute('select count(*) from creators').fetchone())";
      expect(await run(pro, "python3", ["-c", asked], folder)).toBe("(1,)\n");
    });
  });

  test("in Go", { tag: "@nightly" }, async ({ pro }) => {
    test.skip(!isInstalled("go", "version"), "Go is not installed: its snippets are NOT run");
    const found = await snippets("go");
    expect(found.length).toBeGreaterThanOrEqual(13);
    await inFolder(async (folder) => {
      for (const [place, text] of found.entries()) {
        const file = path.join(folder, `${place}.go`);
        writeFileSync(file, text);
        await run(pro, "go", ["run", file]);
      }
    });
  });
});

test("the text of guides may be kept for a while, and a guide that is not there is 404", async () => {
  for (const page of [
    "/docs/limits.md",
    "/llms.txt",
    "/llms-full.txt",
    "/changelog.xml",
    "/docs/search.json",
  ]) {
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
