import { readdirSync, rmSync, writeFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { bundle, EXTERNAL } from "./bundle";

/** Where the built commands and API handlers lie. */
const OUT = "dist";

// The server, the operator's commands and the route files.
rmSync(OUT, { recursive: true, force: true });
const NOT_COMMANDS = ["build.ts", "bundle.ts", "client-package.ts"];
const commands = readdirSync("src/cli").filter((name) => /^[a-z-]+\.ts$/.test(name) && !NOT_COMMANDS.includes(name));
const routes = ["src/app/api", "src/app/mcp"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);
await bundle(
  [...commands.map((name) => `src/cli/${name}`), ...routes.filter((name) => name.endsWith("route.ts"))],
  OUT,
  "src",
);

// The image installs what this manifest names, not what the bundles contain already.
const { dependencies, devDependencies, overrides, ...rest } = manifest;
const external = Object.entries(dependencies).filter(([name]) => EXTERNAL.includes(name));
writeFileSync(`${OUT}/package.json`, JSON.stringify({ ...rest, dependencies: Object.fromEntries(external) }, null, 2));
