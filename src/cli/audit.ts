import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { z } from "zod";
import { OperatorError } from "@/core/errors";
import { runCommand } from "./command";
import { lockfileProblems, shippedPackages } from "./lockfile";
import { table } from "./table";

const program = new Command("audit").description(
  "Known vulnerabilities of the packages, their licences, and the lockfile's checksums. Run as: npm run audit",
);

const Vulnerable = z.object({ name: z.string(), severity: z.string(), range: z.string() });
const Report = z.object({ vulnerabilities: z.record(z.string(), Vulnerable) });

function audit(): void {
  const lockfile = readFileSync("package-lock.json", "utf8");
  const packages = shippedPackages(lockfile);
  process.stdout.write(`${licences(packages)}\n\n`);
  const problems = lockfileProblems(lockfile);
  if (problems.length > 0) throw new OperatorError(problems.join("; "));
  const found = knownVulnerabilities();
  if (found.length > 0) {
    const rows = found.map(({ name, severity, range }) => [name, severity, range]);
    process.stdout.write(`${table(["package", "severity", "versions"], rows)}\n`);
    throw new OperatorError(`${found.length} packages have known vulnerabilities`);
  }
  process.stdout.write(`None of ${packages.length} packages has a known vulnerability.\n`);
}

function licences(packages: ReturnType<typeof shippedPackages>): string {
  const names = new Map<string, string[]>();
  for (const { name, licence } of packages) names.set(licence, [...(names.get(licence) ?? []), name]);
  const rows = [...names].sort(([, one], [, other]) => other.length - one.length);
  return table(
    ["licence", "packages", "such as"],
    rows.map(([licence, users]) => [licence, users.length, users.slice(0, 3).join(", ")]),
  );
}

/** @throws OperatorError when the registry cannot be asked: nothing is known then, which is not the same as none */
function knownVulnerabilities(): z.output<typeof Vulnerable>[] {
  const { stdout, stderr } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8" });
  const report = Report.safeParse(parse(stdout));
  if (report.success) return Object.values(report.data.vulnerabilities);
  const reason = z.object({ message: z.string() }).safeParse(parse(stdout)).data?.message ?? stderr.trim();
  throw new OperatorError(
    `The registry does not tell of known vulnerabilities (${withoutAddress(reason)}): they are NOT checked; run this where it can be reached`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function withoutAddress(reason: string): string {
  return reason.replace(/ - [A-Z]+ \S+$/, "").slice(0, 200);
}

await runCommand(async () => {
  program.parse();
  audit();
});
