import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { OperatorError } from "@/core/errors";
import { parseJson } from "@/core/http/call";
import { createProgram, runProgram } from "./command";
import { isShipped, type LockedPackage, lockedPackages, lockfileProblems } from "./lockfile";
import { table } from "./table";

const Vulnerable = z.object({ name: z.string(), severity: z.string(), range: z.string() });
const Report = z.object({ vulnerabilities: z.record(z.string(), Vulnerable) });

function audit(): void {
  const packages = lockedPackages(readFileSync("package-lock.json", "utf8"));
  process.stdout.write(`${licenceTable(packages.filter(isShipped))}\n\n`);
  const problems = lockfileProblems(packages);
  if (problems.length > 0) throw new OperatorError(problems.join("; "));
  const found = knownVulnerabilities().map(({ name, severity, range }) => [name, severity, range]);
  if (found.length === 0) {
    process.stdout.write(`No known vulnerabilities in ${packages.length} packages.\n`);
    return;
  }
  process.stdout.write(`${table(["package", "severity", "versions"], found)}\n`);
  throw new OperatorError(`${found.length} packages have known vulnerabilities`);
}

function licenceTable(packages: LockedPackage[]): string {
  const names = new Map<string, string[]>();
  for (const { name, license } of packages) names.set(license, [...(names.get(license) ?? []), name]);
  const rows = [...names].sort(([, one], [, other]) => other.length - one.length);
  return table(
    ["licence", "packages", "such as"],
    rows.map(([licence, users]) => [licence, users.length, users.slice(0, 3).join(", ")]),
  );
}

/** @throws OperatorError when the registry does not answer, as that says nothing about vulnerabilities */
function knownVulnerabilities(): z.output<typeof Vulnerable>[] {
  const { stdout, stderr } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8" });
  const report = parseJson(stdout, Report);
  if (report) return Object.values(report.vulnerabilities);
  const reason = parseJson(stdout, z.object({ message: z.string() }))?.message ?? stderr.trim();
  const shown = reason.replace(/ - [A-Z]+ \S+$/, "").slice(0, 200);
  throw new OperatorError(`Vulnerabilities were NOT checked, as the registry does not list them: ${shown}`);
}

await runProgram(
  createProgram("audit", "Check packages for known vulnerabilities, licences and checksums.").action(audit),
);
