import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Words and forms of names that this code does not use, each with what it uses instead. */
const BANNED: readonly (readonly [found: RegExp, instead: string])[] = [
  [/\b(un)?told\b/i, "notified, undelivered"],
  [/\banew\b/i, "again"],
  [/\bwhoever\b/i, "the one who"],
  [/\bmended\b/i, "fixed"],
  [/\bstanding(s|Key)?\b/, "active"],
  [/\bjudge[ds]?\b/i, "classify, outlook"],
  [/\b(MOST|LEAST|LONGEST)_/, "MAX_, MIN_"],
  [/\bStop tracking\b/, "Untrack"],
  [/\bthree figures\b/, "three digits"],
  [/\b(waits for its search|Alerts are still made|before everybody)\b/, "the sentence in plain words"],
  [/\balerts? like this\b/i, "such jumps"],
  [/\blike alerts\b/, "similar alerts"],
  [/\b(function|const) [a-z]\w*Of\b/, "a name that begins with a verb"],
];

/** The banned words of a text, as `line: word (use …)`. */
function findBannedWords(text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    BANNED.flatMap(([found, instead]) => {
      const [word] = found.exec(line) ?? [];
      return word ? [`${index + 1}: ${word} (use ${instead})`] : [];
    }),
  );
}

const files = ["src", "emails", "e2e", "bench"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.(tsx?|md)$/.test(name) && name !== "src/words.test.ts"),
);

it("code, guides and templates use none of the banned words", () => {
  const found = files.flatMap((file) => findBannedWords(readFileSync(file, "utf8")).map((place) => `${file}:${place}`));
  expect(found).toEqual([]);
});

it.each([
  ["// nobody is told", "1: told (use notified, undelivered)"],
  ["const a = 1;\nconst MOST_ALERTS = 2;", "2: MOST_ (use MAX_, MIN_)"],
  ["function alertOf(row: Row) {", "1: function alertOf (use a name that begins with a verb)"],
])("finds the banned word in %j", (text, found) => expect(findBannedWords(text)).toEqual([found]));

it.each(["const offset = 1;", "MIN_SCORE, MAX_AGE", "function getOffset()", "understanding"])("accepts %j", (text) =>
  expect(findBannedWords(text)).toEqual([]),
);
