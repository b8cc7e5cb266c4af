import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { transform } from "esbuild";
import { anonymous, expect, type KeyClient, test } from "../fixtures";
import { isOnStandIns } from "../product";
import { isInstalled, listFences } from "../snippets";

/** The creator of the examples, one that exists on YouTube. */
const EXAMPLE = isOnStandIns ? "@YouTube" : "@juniperfivecrits";

/** Commands that set the key, or install what another test runs. */
const NOT_RUN = /^(export|npm) /;

/** Runs `work` in a temporary folder. */
async function runInTempFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "snippets-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a snippet with a key that tracks the creator of the examples. */
async function run(pro: KeyClient, program: string, args: string[], cwd = "."): Promise<string> {
  expect((await pro.post("/api/track", { channel_id: EXAMPLE })).status).toBe(200);
  const env = { ...process.env, GROWTH_API_KEY: pro.key };
  const { status, stdout, stderr } = spawnSync(program, args, { env, cwd, encoding: "utf8" });
  expect(status, `${args.join(" ")}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

test.describe("snippets of the guides", () => {
  test("run as printed in curl", async ({ pro }) => {
    test.skip(!isInstalled("curl"), "curl is not installed: its snippets are NOT run");
    const found = (await listFences("sh")).filter((text) => !NOT_RUN.test(text));
    expect(found.length).toBeGreaterThanOrEqual(11);
    for (const text of found)
      expect(JSON.parse(await run(pro, "sh", ["-c", `${text} --silent`])), text).toMatchObject({
        status: "ok",
      });
  });

  test("are valid JSON where they are JSON", async () => {
    for (const text of await listFences("json")) expect(() => JSON.parse(text), text).not.toThrow();
  });

  test("run as printed in JavaScript", async ({ pro }) => {
    const found = await listFences("js");
    expect(found.length).toBeGreaterThanOrEqual(14);
    for (const text of found) await run(pro, process.execPath, ["--input-type=module", "--eval", text]);
  });

  test("run as printed in TypeScript, with the client installed from the service", async ({ pro }) => {
    const [install = ""] = (await listFences("sh")).filter((text) => text.startsWith("npm install "));
    const found = await listFences("ts");
    expect(found.length).toBeGreaterThanOrEqual(6);
    await runInTempFolder(async (folder) => {
      writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
      await run(pro, "sh", ["-c", `${install} --no-audit --no-fund`], folder);
      for (const [index, text] of found.entries()) {
        const { code } = await transform(text, { loader: "ts" });
        writeFileSync(path.join(folder, `${index}.js`), code);
      }
      for (const index of found.keys()) await run(pro, process.execPath, [`${index}.js`], folder);
      // It continues after the last change.
      const again = found.findIndex((text) => text.includes("cursor.txt"));
      expect(await run(pro, process.execPath, [`${again}.js`], folder)).toBe("");
    });
  });

  test("run as printed in Python", async ({ pro }) => {
    test.skip(!isInstalled("python3"), "python3 is not installed: its snippets are NOT run");
    const found = await listFences("python");
    expect(found.length).toBeGreaterThanOrEqual(12);
    // One program keeps its copy in a file. It runs twice: the second time there is a cursor.
    await runInTempFolder(async (folder) => {
      for (const text of found) await run(pro, "python3", ["-c", text], folder);
      const mirror = found.filter((text) => text.includes("sqlite3"));
      expect(mirror).toHaveLength(1);
      await run(pro, "python3", ["-c", mirror[0] ?? ""], folder);
      const countRows =
        "import sqlite3; print(sqlite3.connect('growth.sqlite').execute('select count(*) from creators').fetchone())";
      expect(await run(pro, "python3", ["-c", countRows], folder)).toBe("(1,)\n");
    });
  });

  test("run as printed in Go", { tag: "@nightly" }, async ({ pro }) => {
    test.skip(!isInstalled("go", "version"), "Go is not installed: its snippets are NOT run");
    const found = await listFences("go");
    expect(found.length).toBeGreaterThanOrEqual(13);
    await runInTempFolder(async (folder) => {
      for (const [index, text] of found.entries()) {
        const file = path.join(folder, `${index}.go`);
        writeFileSync(file, text);
        await run(pro, "go", ["run", file]);
      }
    });
  });
});

test("guide texts can be cached, and a missing guide returns 404", async () => {
  for (const page of ["/docs/limits.md", "/llms.txt", "/llms-full.txt", "/changelog.xml", "/docs/search.json"]) {
    const { status, headers } = await anonymous.get(page);
    expect([status, headers.get("cache-control")], page).toEqual([200, "public, max-age=300"]);
  }
  // A page's nonce is used once.
  for (const page of ["/docs", "/docs/limits"]) {
    const { status, headers } = await anonymous.get(page);
    expect([status, headers.get("cache-control")], page).toEqual([200, expect.stringContaining("no-store")]);
  }
  for (const page of ["/docs/nothing", "/docs/nothing.md"]) expect((await anonymous.get(page)).status).toBe(404);
});
