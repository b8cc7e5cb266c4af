import { readFileSync } from "node:fs";
import { OperatorError } from "@/core/errors";
import { createProgram, print, runProgram } from "./command";
import { isShipped, lockedPackages, lockfileProblems } from "./lockfile";
import { table } from "./table";

function audit(): void {
  const packages = lockedPackages(readFileSync("package-lock.json", "utf8"));
  const licences = new Map<string, number>();
  for (const { license } of packages.filter(isShipped))
    licences.set(license, (licences.get(license) ?? 0) + 1);
  const rows = [...licences].sort(([, one], [, other]) => other - one);
  print({}, rows, table(["licence", "packages"], rows));
  const problems = lockfileProblems(packages);
  if (problems.length > 0) throw new OperatorError(problems.join("; "));
}

await runProgram(createProgram("audit", "Check the licences and checksums of packages.").action(audit));
