import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import manifest from "../client/package.json" with { type: "json" };

const { name, version } = manifest;

/** The client's tarball. It is committed, and kept for the lockfiles of those who installed it. */
export const CLIENT_TARBALL = `public/client-${version}.tgz`;

/** Builds the contents of the client's package in a folder. */
export function buildClientPackage(folder: string): void {
  const target = "--target es2022 --module nodenext --lib es2022,dom,dom.iterable --declaration".split(" ");
  const strict = "--ignoreConfig --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes".split(" ");
  const words = ["node_modules/typescript/bin/tsc", "src/client/client.ts", ...target, ...strict];
  execFileSync(process.execPath, [...words, "--outDir", folder], { stdio: "inherit" });
  buildCommonJs(folder);
  for (const file of ["src/client/package.json", "src/client/README.md", "LICENSE"])
    copyFileSync(file, path.join(folder, path.basename(file)));
}

/** Adds a build for `require`, and its types. */
function buildCommonJs(folder: string): void {
  const outdir = path.join(folder, "cjs");
  const options = { bundle: true, format: "cjs", platform: "neutral", target: "es2022" } as const;
  buildSync({ entryPoints: ["src/client/client.ts"], outdir, ...options });
  writeFileSync(path.join(outdir, "package.json"), '{ "type": "commonjs" }\n');
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".d.ts")))
    copyFileSync(path.join(folder, name), path.join(outdir, name));
}

/** Makes the tarball of this version where there is none. */
export function packClient(): void {
  if (existsSync(CLIENT_TARBALL)) return;
  const folder = mkdtempSync(path.join(tmpdir(), "creator-growth-client-"));
  try {
    buildClientPackage(folder);
    const words = ["pack", folder, "--silent", "--pack-destination", "public"];
    execFileSync("npm", words, { stdio: ["ignore", "ignore", "inherit"] });
    renameSync(`public/${name}-${version}.tgz`, CLIENT_TARBALL);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packClient();
