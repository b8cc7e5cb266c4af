import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const ADVICE = "install chromium, or set CHROMIUM_PATH to the executable of a Chromium or Chrome";

/**
 * The Chromium that the console specs run in; null when this machine has none.
 * @throws Error when CHROMIUM_PATH is set to something that cannot be run
 */
export function findChromium(): string | null {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH is not an executable file (given "${chosen}"): correct it or unset it`);
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = [
    chromium.executablePath(),
    // Without a window it needs a fifth less of the processor.
    HEADLESS_SHELL,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    ...folders.map((folder) => path.join(folder, "google-chrome")),
  ];
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Installs Debian's headless shell unless an equally light Chromium is found. @throws Error with what to do when none is left */
function ensureChromium(): void {
  const found = findChromium();
  const isCheap = [process.env.CHROMIUM_PATH, chromium.executablePath(), HEADLESS_SHELL].includes(found ?? undefined);
  if (isCheap) return;
  try {
    installHeadlessShell();
  } catch (error) {
    if (!found) throw error;
  }
}

function installHeadlessShell(): void {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !isInstalled("apt-get")) throw new Error(`There is no Chromium on this machine: ${ADVICE}`);
  process.stdout.write("Installing Debian's headless Chromium…\n");
  runApt("update");
  runApt("install", "-y", "--no-install-recommends", "chromium-headless-shell");
  if (!findChromium()) throw new Error(`apt-get installed no Chromium that can be found: ${ADVICE}`);
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

function runApt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8" });
  if (status === 0) return;
  throw new Error(`apt-get ${args[0]} failed: ${ADVICE}\n${stdout}${stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    ensureChromium();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
