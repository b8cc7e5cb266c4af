import { readFileSync } from "node:fs";

/* Imported before anything that an older Node could not read. */
const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const [needed] = engines.node.match(/\d+\.\d+/);
const [[major, minor], [leastMajor, leastMinor]] = [process.versions.node, needed].map((version) =>
  version.split(".").map(Number),
);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(`Error: Node ${needed} or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(1);
}
