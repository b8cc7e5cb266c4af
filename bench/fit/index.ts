import { readFile, writeFile } from "node:fs/promises";
import { createFileErrorHandler, createProgram, type Output, print, runProgram } from "@/cli/command";
import { readHistory } from "@/platform/history";
import { fitHistories } from "./histories";

type FitOptions = Output & { out: string };

async function fit(files: string[], options: FitOptions): Promise<void> {
  const histories = [];
  for (const file of files)
    histories.push(readHistory(await readFile(file, "utf8").catch(createFileErrorHandler(`${file} cannot be read`))));
  const { fitted, ...report } = fitHistories(histories);
  await writeFile(options.out, `${JSON.stringify(fitted, null, 2)}\n`).catch(
    createFileErrorHandler(`${options.out} cannot be written`),
  );
  print(options, report, JSON.stringify(report, null, 2));
}

await runProgram(
  createProgram(
    "tools -- fit <csv>...",
    "Fit the tables of the score on real histories and cross-validate them by channel.\n" +
      "Channels of half a of the last file are left out of every file: test the result on them with `backtest --half a`.",
  )
    .argument("<csv...>", "files of daily counts, as for a backtest")
    .option("--out <file>", "where to write the tables", "src/features/growth/fitted.json")
    .action(fit),
);
