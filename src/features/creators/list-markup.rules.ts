import { Parser } from "htmlparser2";
import { formatProblem } from "./addresses.rules";
import { type ListRecord, MENTIONED, readLines } from "./list-lines.rules";
import { getFoundName, isChannel, isMention, parseWhole, pickStrongest } from "./references.rules";

const MARKUP = /^<(?:[?!]|[a-z]\w*[\s/>])|<(?:a|outline|td|opml|html|body)\b[^<>]*>/i;
/** A link in angle brackets, which is no tag. */
const AUTOLINK = /<(https?:[^<>\s]+)>/gi;
const HIDDEN = new Set(["script", "style"]);

type Part = Omit<ListRecord, "line">;

/** Reads the channels of OPML or HTML: one for each tag, or each row of a table; null for other texts. */
export function readMarkup(text: string): ListRecord[] | null {
  if (!MARKUP.test(text)) return null;
  const parts: Part[] = [];
  let [tag, words, row, hidden] = ["", "", "", ""];
  let attributes: Record<string, string> = {};
  const flush = () => {
    parts.push(...(row ? readRow(row) : readTag(tag, attributes, words)));
    [tag, words, row, attributes] = ["", "", "", {}];
  };
  const parser = new Parser(
    {
      onopentag(name, values) {
        if (HIDDEN.has(name)) hidden = name;
        else if (row !== "") row += ` ${Object.values(values).join(" ")} `;
        else {
          flush();
          if (name === "tr") row = " ";
          [tag, attributes] = [name, values];
        }
      },
      ontext(more) {
        if (hidden) return;
        if (row) row += more;
        else words += more;
      },
      onclosetag(name) {
        if (name === hidden) hidden = "";
        if (name === "tr" || (name === "a" && !row)) flush();
      },
    },
    { recognizeCDATA: true },
  );
  parser.end(text.replace(AUTOLINK, " $1 "));
  flush();
  return parts.map((part, index) => ({ ...part, line: index + 1 }));
}

function readRow(row: string): Part[] {
  const words = row.replace(/\s+/g, " ").trim();
  const found = pickStrongest(readLines(words).flatMap((record) => record.found));
  return words === "" ? [] : [{ text: words, found: found.slice(0, 1) }];
}

/** A tag's channel by its attributes, and those of the text after it. A link that is no channel is a part without any. */
function readTag(tag: string, attributes: Record<string, string>, words: string): Part[] {
  const values = Object.values(attributes);
  const [linked] = pickStrongest(values.flatMap((value) => parseWhole(value) ?? []));
  const lines = readLines(words);
  if (!linked) return lines;
  const label = attributes.title ?? attributes.text ?? words.trim();
  const text = label || linked.text;
  if (linked.parsed.kind !== "other") {
    const others = lines.filter(({ found }) => found.some((each) => getFoundName(each) !== getFoundName(linked)));
    return [{ text, found: [linked] }, ...others.map(leaveOutMentions)];
  }
  const named = lines.filter(({ found }) => found.some(isChannel));
  if (tag !== "a" && tag !== "outline") return named;
  // A page of HTML has links to everything; those of a subscription list are meant as channels.
  if (linked.parsed.fault === "malformed" || (tag === "outline" && linked.parsed.fault === "page"))
    return [{ text, found: [linked] }, ...named];
  const reason = formatProblem(linked.parsed.problem);
  return [{ text: [...new Set([text, linked.text])].join(" · "), found: [], reason }, ...named];
}

function leaveOutMentions(record: ListRecord): ListRecord {
  return record.found.every(isMention) ? { ...record, found: [], reason: MENTIONED } : record;
}
