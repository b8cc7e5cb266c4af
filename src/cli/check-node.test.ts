import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

describe("a Node that is too old", () => {
  const OLD =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.19.1"}})';

  it.each([
    ["npm run dev", ["src/cli/dev.mjs"]],
    ["npm start", ["src/cli/run.mjs", "serve", "start"]],
    ["npm run build", ["src/cli/check-node.mjs"]],
    ["a command", ["src/cli/run.mjs", "keys", "list"]],
  ])("stops %s with one line", (_name, words) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", OLD, ...words], { encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([1, "", "Error: Node 20.20 or newer is needed, and this is 18.19.1.\n"]);
  });
});
