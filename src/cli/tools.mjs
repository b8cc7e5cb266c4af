import "./check-node.mjs";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";

/* `npm run tools -- <name>`: what is needed rarely. Arguments after the name go to the last command. */
const PATCH = "patch-package --patch-dir src/db/patches --error-on-fail";
const NIGHTLY_FILES = "isolation-property model.test queue.service kills migrate.test crash concurrency";
const BUILD = "node --import tsx e2e/chromium.ts && node --import tsx e2e/build.ts";
const SPECS = "node --import tsx e2e/await-day.ts && playwright test";
/** What `npm test` runs: the steps one after another, the commands of a step at once. */
const ALL = [[PATCH], ["npm run --silent lint", "npm run --silent types"], ["vitest run", BUILD], [SPECS]];
const TOOLS = {
  "test:unit": ["runs the unit and integration tests", `${PATCH} && vitest run`],
  "test:e2e": ["runs the specs on the built product, in a browser", `${BUILD} && ${SPECS}`],
  "test:services": [
    "runs the specs of the API on stand-ins of the real services",
    "npm run build && node --import tsx e2e/await-day.ts && node --import tsx e2e/stand-ins.ts playwright test --project=api --project=services",
  ],
  "test:nightly": [
    "runs more random cases and kills, seven client generators, then npm audit",
    `export NIGHTLY=1 && ${PATCH} && vitest run ${NIGHTLY_FILES} && npm run tools -- test:e2e && npm audit --omit=dev`,
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
  "deploy-link": ["prints the link and badge that deploy on Vercel: [repository]", "node src/cli/run.mjs deploy-link"],
  fit: ["fits the tables of the score on real histories: <csv>…", "node --import tsx bench/fit/index.ts"],
  patch: ["patches installed packages, as dev, build and tests do", PATCH],
};

/** Runs commands at once and prints the result of each, in order. @returns whether all succeeded */
async function runAtOnce(commands) {
  const results = commands.map((command, at) => run(command, at === 0));
  let isPassed = true;
  for (const [at, result] of results.entries()) {
    const { code, output } = await result;
    if (code !== 0) isPassed = false;
    process.stdout.write(code === 0 ? `✓ ${commands[at]}\n` : `${output}✗ ${commands[at]}\n`);
  }
  return isPassed;
}

/** Runs a command. Its output is printed as it comes, or collected. */
async function run(command, isShown) {
  const child = spawn("sh", ["-c", setup + command], { stdio: isShown ? "inherit" : ["inherit", "pipe", "pipe"] });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => void parts.push(part));
  const [code] = await once(child, "close");
  return { code, output: Buffer.concat(parts) };
}

/** Files that only live in memory, on Linux. */
const MEMORY = "/dev/shm";
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * Makes a folder in memory for temporary files where there is room: the databases of tests make and delete thousands.
 * @returns the shell command that sets it; empty where there is no room
 */
function chooseTemporaryFolder() {
  if (measureFreeBytes(MEMORY) < MIN_FREE_BYTES) return "";
  const folder = mkdtempSync(`${MEMORY}/creator-growth-tests-`);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const end = () => process.exit(1);
  // A Ctrl-C also ends the commands, which still use the folder until then. A second one does not wait for them.
  process.once("SIGINT", () => process.once("SIGINT", end));
  process.once("SIGTERM", end);
  return `export TMPDIR=${folder}; `;
}

function measureFreeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

async function runAll() {
  for (const commands of ALL) if (!(await runAtOnce(commands))) return 1;
  return 0;
}

const [name = "", ...words] = process.argv.slice(2);
const setup = name.startsWith("test") ? chooseTemporaryFolder() : "";
if (name === "test") {
  process.exitCode = await runAll();
} else if (Object.hasOwn(TOOLS, name)) {
  const [, command] = TOOLS[name];
  const { status } = spawnSync("sh", ["-c", `${setup}${command} "$@"`, name, ...words], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  const lines = Object.entries(TOOLS).map(([key, [does]]) => `  ${key.padEnd(14)} ${does}\n`);
  process.stdout.write(`Usage: npm run tools -- <name>\n\n${lines.join("")}`);
  process.exitCode = name ? 1 : 0;
}
