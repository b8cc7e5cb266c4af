import { existsSync, readdirSync, rmSync } from "node:fs";
import { bundle } from "./bundle";

/** Where the built commands and API handlers lie. */
const OUT = "dist";

// The server, the operator's commands and the route files.
rmSync(OUT, { recursive: true, force: true });
const NOT_COMMANDS = ["build.ts", "bundle.ts", "client-package.ts", "image.ts"];
const commands = readdirSync("src/cli").filter((name) => /^[a-z-]+\.ts$/.test(name) && !NOT_COMMANDS.includes(name));
const routes = ["src/app/api", "src/app/mcp"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);
await bundle(
  [...commands.map((name) => `src/cli/${name}`), ...routes.filter((name) => name.endsWith("route.ts"))],
  OUT,
  "src",
);

// Turbopack writes an empty source map beside each web worker.
const PAGES = ".next/static";
const built = existsSync(PAGES) ? readdirSync(PAGES, { recursive: true, encoding: "utf8" }) : [];
for (const file of built.filter((name) => name.endsWith(".map"))) rmSync(`${PAGES}/${file}`);
