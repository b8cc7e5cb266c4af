import "./check-node.mjs";
import { spawnSync } from "node:child_process";

/* `npm run tools -- <name>`: what is needed rarely. Arguments after the name go to the last command. */
const PATCH = "patch-package --patch-dir src/db/patches --error-on-fail";
const NIGHTLY_FILES = "isolation-property model.test queue.service kills migrate.test crash concurrency";
const TOOLS = {
  "test:unit": ["runs the unit and integration tests", `${PATCH} && vitest run`],
  "test:e2e": [
    "runs the specs on the built product, in a browser",
    "node --import tsx e2e/chromium.ts && node --import tsx e2e/build.ts && node --import tsx e2e/await-day.ts && playwright test",
  ],
  "test:services": [
    "runs the specs of the API on stand-ins of the real services",
    "npm run build && node --import tsx e2e/await-day.ts && node --import tsx e2e/stand-ins.ts playwright test --project=api --project=services",
  ],
  "test:nightly": [
    "runs more random cases and kills, seven client generators, then npm audit",
    `${PATCH} && vitest run --mode nightly ${NIGHTLY_FILES} && E2E_NIGHTLY=1 npm run tools -- test:e2e && npm audit --omit=dev`,
  ],
  audit: ["checks vulnerabilities, licences and checksums of packages", "vitest run src/packages.test.ts && npm audit"],
  "db:generate": ["writes the migration of a changed schema: --name <name>", "drizzle-kit generate"],
  "client:types": [
    "generates the client's types from the OpenAPI document",
    "node --import tsx src/test/client-types.ts",
  ],
  "client:pack": ["packs the client's tarball if this version has none", "node --import tsx src/cli/client-package.ts"],
  screenshots: ["takes pictures of all pages and of the README", "node --import tsx e2e/screenshots.ts"],
  replay: ["runs real histories through the daily run: <csv>", "node src/cli/run.mjs replay"],
  fit: ["fits the tables of the score on real histories: <csv>…", "node --import tsx bench/fit/index.ts"],
  patch: ["patches installed packages, as dev, build and tests do", PATCH],
};

const [name = "", ...words] = process.argv.slice(2);
if (Object.hasOwn(TOOLS, name)) {
  const [, command] = TOOLS[name];
  const { status } = spawnSync("sh", ["-c", `${command} "$@"`, name, ...words], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  const lines = Object.entries(TOOLS).map(([key, [does]]) => `  ${key.padEnd(14)} ${does}\n`);
  process.stdout.write(`Usage: npm run tools -- <name>\n\n${lines.join("")}`);
  process.exitCode = name ? 1 : 0;
}
