import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isShipped, lockedPackages, lockfileProblems } from "./lockfile";

const CHECKSUM = "sha512-AAAA";
const problemsOf = (packages: object) =>
  lockfileProblems(lockedPackages(JSON.stringify({ packages: { "": { name: "own" }, ...packages } })));

it("finds a checksum and an allowed licence for every package of this service", () => {
  const packages = lockedPackages(readFileSync("package-lock.json", "utf8"));
  expect(lockfileProblems(packages)).toEqual([]);
  const shipped = packages.filter(isShipped).map(({ name }) => name);
  expect(shipped).toEqual(expect.arrayContaining(["next", "drizzle-orm", "inngest"]));
  expect(shipped).not.toContain("axe-core");
});

it.each([
  [{ "node_modules/a": { license: "MIT" } }, "a has no checksum"],
  [{ "node_modules/a": { license: "MIT", integrity: "sha1-AAAA" } }, "a has no checksum"],
  [{ "node_modules/@b/c": { license: "GPL-3.0", integrity: CHECKSUM } }, "@b/c is under GPL-3.0"],
  [{ "node_modules/a": { license: "MIT AND AGPL-3.0", integrity: CHECKSUM } }, "a is under MIT AND AGPL-3.0"],
  [{ "node_modules/a": { integrity: CHECKSUM } }, "a is under none"],
  [
    { "node_modules/a": { license: "MIT", integrity: CHECKSUM, resolved: "http://a.example/a.tgz" } },
    "a does not come from a registry over https",
  ],
])("reports %j", (packages, problem) => expect(problemsOf(packages)).toEqual([problem]));

it("accepts a choice of licences of which one is allowed, and known development tools", () => {
  const packages = {
    "node_modules/a": { license: "(GPL-2.0 OR MIT)", integrity: CHECKSUM },
    "node_modules/axe-core": { license: "MPL-2.0", integrity: CHECKSUM, dev: true },
    "node_modules/b": { license: "MIT", integrity: CHECKSUM, dev: true },
  };
  expect(problemsOf(packages)).toEqual([]);
});
