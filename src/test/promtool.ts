import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";

const CACHE = path.resolve("node_modules/.cache/promtool");
const UNPACKED = path.join(CACHE, "usr/bin/promtool");
const UNPACK = "apt-get download prometheus && dpkg-deb -x prometheus_*.deb .";

/**
 * Prometheus's promtool: that of this machine, or of Debian's package, which is unpacked and not installed.
 * @throws Error where there is neither
 */
export async function findPromtool(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const isRunning = (program: string) => run(`"${program}" --version`);
  if (isRunning("promtool")) return "promtool";
  if (isRunning(UNPACKED)) return UNPACKED;
  if (run(UNPACK) || run(`apt-get update && ${UNPACK}`)) return UNPACKED;
  throw new Error("There is no promtool on this machine: install Prometheus");
}

function run(command: string): boolean {
  return spawnSync("sh", ["-c", command], { cwd: CACHE, stdio: "ignore" }).status === 0;
}
