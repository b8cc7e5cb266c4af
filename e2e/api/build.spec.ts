import { readFileSync } from "node:fs";
import { expect, test } from "../fixtures";

/** On Vercel the root's package.json would make Node load the built CommonJS files as ES modules. */
for (const entry of ["instrumentation", "middleware"])
  test(`the built ${entry} traces no JSON file from the project root`, () => {
    const trace = JSON.parse(readFileSync(`.next/server/${entry}.js.nft.json`, "utf8"));
    expect(trace.files.length).toBeGreaterThan(0);
    expect(trace.files.filter((file: string) => /^\.\.\/\.\.\/[^/]+\.json$/.test(file))).toEqual([]);
  });
