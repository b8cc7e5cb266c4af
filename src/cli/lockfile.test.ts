import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lockfileProblems, shippedPackages } from "./lockfile";

const CHECKSUM = "sha512-AAAA";
const lock = (packages: object) => JSON.stringify({ packages: { "": { name: "own" }, ...packages } });

it("vouches for every package of this service, and no licence that restricts shipping it", () => {
  const text = readFileSync("package-lock.json", "utf8");
  expect(lockfileProblems(text)).toEqual([]);
  const names = shippedPackages(text).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["next", "drizzle-orm", "inngest"]));
  expect(names).not.toContain("axe-core");
});

it.each([
  [{ "node_modules/a": { license: "MIT" } }, "a has no checksum"],
  [{ "node_modules/a": { license: "MIT", integrity: "sha1-AAAA" } }, "a has no checksum"],
  [{ "node_modules/@b/c": { license: "GPL-3.0", integrity: CHECKSUM } }, "@b/c is under GPL-3.0"],
  [{ "node_modules/a": { license: "MIT AND AGPL-3.0", integrity: CHECKSUM } }, "a is under MIT AND AGPL-3.0"],
  [{ "node_modules/a": { integrity: CHECKSUM } }, "a is under none"],
  [
    { "node_modules/a": { license: "MIT", integrity: CHECKSUM, resolved: "http://a.example/a.tgz" } },
    "a comes from elsewhere than a registry over https",
  ],
])("reports %j", (packages, problem) => expect(lockfileProblems(lock(packages))).toEqual([problem]));

it("has nothing against a choice of which one is free, nor against a known tool", () => {
  const packages = {
    "node_modules/a": { license: "(GPL-2.0 OR MIT)", integrity: CHECKSUM },
    "node_modules/axe-core": { license: "MPL-2.0", integrity: CHECKSUM, dev: true },
    "node_modules/b": { license: "MIT", integrity: CHECKSUM, dev: true },
  };
  expect(lockfileProblems(lock(packages))).toEqual([]);
});
