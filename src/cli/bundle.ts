import { build } from "esbuild";
import manifest from "../../package.json" with { type: "json" };

/** What production installs: packages with files of their own beside the code, and what Next brings along. */
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
    // Bundled CommonJS asks for Node's own modules by `require`, which modules do not have.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}
