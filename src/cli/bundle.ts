import { build } from "esbuild";
import manifest from "../../package.json" with { type: "json" };

/** Packages that production installs: those that load files at run time, and those that Next includes. */
const INSTALLED = Object.keys(manifest.dependencies);

/**
 * Compiles entry files to plain JavaScript that shares its chunks. What production installs stays outside.
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
    external: INSTALLED.flatMap((name) => [name, `${name}/*`]),
    // Bundled CommonJS loads Node's modules with `require`, which ES modules lack.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}
