import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";
import manifest from "../../package.json" with { type: "json" };

/** Where the built commands and API handlers lie. */
const OUT = "dist";

/** What production installs: packages with files of their own beside the code, and what Next brings along. */
const INSTALLED = Object.keys(manifest.dependencies);

// Compiles the server, the operator's commands and the route files to plain JavaScript that shares its chunks.
rmSync(OUT, { recursive: true, force: true });
const NOT_COMMANDS = ["build.ts", "client-package.ts"];
const commands = readdirSync("src/cli").filter(
  (name) => /^[a-z-]+\.ts$/.test(name) && !NOT_COMMANDS.includes(name),
);
const routes = ["src/app/api", "src/app/mcp"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);
await build({
  entryPoints: [
    ...commands.map((name) => `src/cli/${name}`),
    ...routes.filter((name) => name.endsWith("route.ts")),
  ],
  outdir: OUT,
  outbase: "src",
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
