import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { getLibFiles, ts } from "@ts-morph/common";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildClientPackage, CLIENT_TARBALL } from "@/cli/client-package";

const RELEASE = `${CLIENT_TARBALL} is missing or was made from other sources: see "Release the client" in CONTRIBUTING.md.`;

/** The code of the guide, with an address and a key. */
const SNIPPETS = readFileSync("src/guides/typescript-client.md", "utf8")
  .replaceAll("{{appUrl}}", "https://growth.example")
  .replaceAll("{{keyVariable}}", "GROWTH_API_KEY")
  .matchAll(/^```ts\n([\s\S]*?)\n```$/gm);

const USE = `
import { type Change, createGrowthClient, type GrowthClient } from "creator-growth";
const growth: GrowthClient = createGrowthClient({ baseUrl: "https://growth.example", apiKey: "cg_x", retries: undefined });
export const { creators: [first] } = await growth.discover({ niche: "gaming" });
export const score: number | null | undefined = first?.score;
export async function* changes(): AsyncGenerator<Change> { yield* growth.changes("cursor", {}); }
// @ts-expect-error the niche is required
await growth.discover({});
// @ts-expect-error the key must be named
createGrowthClient({ baseUrl: "https://growth.example" });
`;

const USE_COMMONJS = `
import { type Change, createGrowthClient, type GrowthClient } from "creator-growth";
const growth: GrowthClient = createGrowthClient({ baseUrl: "https://growth.example", apiKey: "cg_x" });
export async function read(): Promise<Change[]> {
  const { creators: [first] } = await growth.discover({ niche: "gaming", rising: true });
  const score: number | null | undefined = first?.score;
  console.log(score);
  for await (const alert of growth.alerts({ severity: "SURGING" })) console.log(alert.message);
  return (await growth.listChanges()).changes;
}
`;

const GOOD = { status: 0, stdout: "" };

/** Uses the client with a service that answers in place. */
const RUN = `
import { ApiError, createGrowthClient } from "creator-growth";
const fetch = async ({ url }) => Response.json(url.endsWith("/api/usage") ? { tier: "pro" } : { error: "No" }, { status: url.endsWith("/api/usage") ? 200 : 404 });
const growth = createGrowthClient({ baseUrl: "https://growth.example", apiKey: "cg_x", fetch });
const { tier } = await growth.usage();
const failure = await growth.tracked("@nobody").catch((error) => error);
console.log(tier, failure instanceof ApiError, failure.status);
`;

const RUN_COMMONJS = `(async () => {${RUN.replace(/import (.*) from (.*);/, "const $1 = require($2);")}})();`;

describe("client package in a blank project", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "creator-growth-client-test-"));
  const resolvePath = (name: string) => path.join(folder, name);
  const installed = resolvePath("node_modules/creator-growth");

  beforeAll(() => {
    expect(existsSync(CLIENT_TARBALL), RELEASE).toBe(true);
    writeFileSync(resolvePath("package.json"), JSON.stringify({ name: "blank", type: "module" }));
    const words = ["install", "--offline", "--no-audit", "--no-fund", path.resolve(CLIENT_TARBALL)];
    execFileSync("npm", words, { cwd: folder });
    const files = [...SNIPPETS].map(([, text = ""]) => text);
    expect(files.length).toBeGreaterThanOrEqual(6);
    for (const [index, text] of [USE, ...files].entries()) writeFileSync(resolvePath(`${index}.ts`), text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const compile = (options: object) => {
    const types = { types: ["node"], typeRoots: [path.resolve("node_modules/@types")] };
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const compilerOptions = { ...types, ...strict, skipLibCheck: false, noEmit: true, ...options };
    writeFileSync(resolvePath("tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const words = [path.resolve("node_modules/typescript/bin/tsc"), "-p", folder];
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
    return { status, stdout };
  };
  const run = (file: string) => execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });

  it("is built from the current sources", () => {
    const built = resolvePath("built");
    mkdirSync(built);
    buildClientPackage(built);
    const listContents = (from: string) =>
      readdirSync(from, { recursive: true, encoding: "utf8", withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.join(parentPath, name))
        .map((file) => [path.relative(from, file), readFileSync(file, "utf8")]);
    expect(listContents(installed), RELEASE).toEqual(listContents(built));
  });

  it("has no dependencies", () => {
    expect(readdirSync(resolvePath("node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "creator-growth",
    ]);
  });

  it("compiles with Node and bundler resolution, in strict mode, with library checks", () => {
    const target = { target: "es2022", lib: ["es2023"] };
    expect(compile({ ...target, module: "nodenext", moduleResolution: "nodenext" })).toEqual(GOOD);
    const web = { target: "es2022", lib: ["es2023", "dom", "dom.iterable"] };
    expect(compile({ ...web, module: "esnext", moduleResolution: "bundler" })).toEqual(GOOD);
  });

  it.each([
    ["node16", ts.ModuleKind.Node16, ts.ModuleResolutionKind.Node16],
    ["node10", ts.ModuleKind.CommonJS, ts.ModuleResolutionKind.Node10],
  ])("compiles from CommonJS with %s resolution, in strict mode", (name, module, moduleResolution) => {
    // TypeScript 7 dropped node10, so this is the version before.
    const libs = resolvePath("libs");
    mkdirSync(libs, { recursive: true });
    for (const { fileName, text } of getLibFiles()) writeFileSync(path.join(libs, fileName), text);
    const file = resolvePath(`${name}.cts`);
    writeFileSync(file, USE_COMMONJS);
    const strict = { types: [], strict: true, noEmit: true, skipDefaultLibCheck: true };
    const options = { ...strict, target: ts.ScriptTarget.ES2022, module, moduleResolution };
    const host = ts.createCompilerHost(options);
    host.getDefaultLibFileName = (given) => path.join(libs, ts.getDefaultLibFileName(given));
    host.getDefaultLibLocation = () => libs;
    const program = ts.createProgram([file], options, host);
    expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  });

  it("runs with require", () => {
    writeFileSync(resolvePath("plain.cjs"), RUN_COMMONJS);
    expect(run("plain.cjs")).toBe("pro true 404\n");
  });

  it("runs on Node as plain JavaScript", () => {
    writeFileSync(resolvePath("plain.mjs"), RUN);
    expect(run("plain.mjs")).toBe("pro true 404\n");
  });

  it("bundles for Node and browsers, and is removed completely when unused", async () => {
    writeFileSync(resolvePath("unused.mjs"), 'import { ApiError } from "creator-growth";\nconsole.log("only this");\n');
    for (const platform of ["node", "browser"] as const) {
      const entryPoints = [resolvePath("plain.mjs"), resolvePath("unused.mjs")];
      const outdir = resolvePath(platform);
      await build({ entryPoints, outdir, platform, bundle: true, format: "esm", logLevel: "silent" });
      expect(run(path.join(outdir, "plain.js"))).toBe("pro true 404\n");
      expect(readFileSync(path.join(outdir, "unused.js"), "utf8")).not.toContain("ApiError");
    }
  });
});
