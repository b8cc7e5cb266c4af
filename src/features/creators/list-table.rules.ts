import { parse } from "csv-parse/browser/esm/sync";
import { type ListRecord, offerHandle } from "./list-lines.rules";
import {
  type Found,
  findReferences,
  getFoundName,
  isChannel,
  isMention,
  isOtherNetwork,
  parseWhole,
  pickStrongest,
} from "./references.rules";

/** Headings of a table's optional columns. */
export interface OptionalColumns {
  list?: string;
  note?: string;
  tags?: string;
}

/** Headings in the languages of YouTube's exports and of spreadsheets. */
const HEADINGS = {
  name: /title|titel|titre|título|titulo|titolo|name|nom|nombre|nome|naam|tytuł|nazwa|назван|имя|タイトル|名|标题|標題|제목|이름/i,
  note: /\b(?:notes?|comments?|remarks?|description)\b|notiz|kommentar|bemerkung|anmerkung|beschreibung|remarque|commentaire|\bnotas?\b|observa|comentari|commento|opmerking|uwagi|notatk|заметк|комментар|примечан|メモ|備考|コメント|备注|備註|메모|비고/i,
  list: /\b(?:lists?|groups?|folders?)\b|categor|kategori|catégor|liste|gruppe|ordner|groupe|dossier|lista|grupo|carpeta|pasta|gruppo|lijst|groep|список|группа|リスト|グループ|列表|分组|목록|그룹/i,
  network: /^(?:platform|network|plattform|netzwerk|plateforme|réseau|plataforma)\b/i,
  tags: /\btags?\b|schlagw|étiquette|etiqueta|\blabels?\b|タグ|标签|標籤|태그/i,
  channel:
    /channel|kanal|canal|canaux|cha[iî]ne|kanaal|kanał|канал|チャンネル|频道|頻道|채널|\burl\b|link|lien|enlace|adress|handle|creator|youtube|リンク|ссылка|链接|連結|링크/i,
};
type Role = keyof typeof HEADINGS | "other";
/** A column of handles, which spreadsheets hold without the @: it begins a formula there. */
const HANDLES = /\b(?:handles?|user ?names?)$|^channel$/i;
const OPTIONAL: readonly Role[] = ["note", "list", "tags"];
/** A column of titles, whose handles are only mentioned. */
const VIDEO_TITLE = /vid[eé]o.?tit|tit\S*.{0,10}v[ií]d[eé]o/i;

const DELIMITERS = [",", ";", "\t", "|"];
/** A row of dashes below the heading of a Markdown table, or a spreadsheet's name of the separator. */
const RULE = /^(?::?-*:?|sep=.?)$/i;
/** Characters that the separator is detected in. */
const SAMPLE = 20_000;
const MAX_HEADING = 40;
/** The share of records of one width that makes a text without headings a table. */
const MIN_SHARE = 0.9;

interface Row {
  line: number;
  cells: string[];
}

/** Reads a table by record, with the separator that fits best; null for other texts. */
export function readTable(text: string): { records: ListRecord[]; columns: OptionalColumns } | null {
  const delimiter = detectDelimiter(text);
  if (delimiter === null) return null;
  const { rows, isWhole } = parseRows(text, delimiter);
  if (!isWhole) return null;
  const headings = isHeading(rows[0]) ? (rows.shift()?.cells ?? []) : [];
  const roles = headings.map(classifyHeading);
  const columns = new Set(findChannelColumns(rows, roles));
  // A stray quote puts the rows below it into one cell.
  const isOther = (cell: string, column: number) =>
    !columns.has(column) &&
    (["other", null, undefined].includes(roles[column]) || (roles[column] === "name" && cell.includes("\n")));
  const getCell = ({ cells }: Row, role: Role) => {
    const column = roles.indexOf(role);
    // What follows the last column belongs to its text.
    const isLast = column === headings.length - 1;
    if (column !== -1) return isLast ? cells.slice(column).filter(Boolean).join(", ") : cells[column];
  };
  // A separator within a text moves the cells after it.
  const isShifted = ({ cells }: Row) =>
    headings.length > 0 &&
    cells.slice(headings.length).some(Boolean) &&
    !cells.some((cell, column) => columns.has(column) && parseWhole(cell));
  const handles = headings.findIndex((heading) => HANDLES.test(heading));
  const records = rows.flatMap((row) => {
    const hasMoved = isShifted(row);
    const optional = hasMoved ? {} : { list: getCell(row, "list"), note: getCell(row, "note") };
    const reading = {
      columns: hasMoved ? new Set(row.cells.keys()) : columns,
      hasMoved,
      others: row.cells.filter(isOther),
      hasHeadings: headings.length > 0,
      bareHandle: row.cells[handles],
      network: getCell(row, "network"),
    };
    return readRecord(row, reading).map((record) => ({ ...record, ...optional }));
  });
  const getHeading = (role: Role) => headings[roles.indexOf(role)];
  return { records, columns: { list: getHeading("list"), note: getHeading("note"), tags: getHeading("tags") } };
}

function detectDelimiter(text: string): string | null {
  const sample = text.slice(0, SAMPLE);
  const rated = DELIMITERS.map((delimiter) => ({ delimiter, fit: rateFit(parseRows(sample, delimiter).rows) }));
  const [best] = rated.toSorted((one, other) => other.fit - one.fit);
  return best && best.fit > 0 ? best.delimiter : null;
}

/** How well rows fit a table: 0 when they are none. */
function rateFit(rows: readonly Row[]): number {
  if (rows.length < 2) return 0;
  const widths = rows.map(({ cells }) => cells.length);
  const [share = 0, width = 0] = [...new Set(widths)]
    .filter((each) => each > 1)
    .map((each) => [widths.filter((other) => other === each).length / rows.length, each] as const)
    .toSorted(([one], [other]) => other - one)[0] ?? [0, 0];
  const hasHeading = width > 1 && widths[0] === width && isHeading(rows[0]);
  return hasHeading ? 1 + share + width / 1000 : share >= MIN_SHARE ? share : 0;
}

/** The rows of a text, as far as it keeps the rules of quoting. */
function parseRows(text: string, delimiter: string): { rows: Row[]; isWhole: boolean } {
  const rows: Row[] = [];
  const addRow = (record: string[], { lines }: { lines: number }) => {
    const cells = record.map((cell) => cell.trim());
    const breaks = record.join("").match(/\n/g)?.length ?? 0;
    if (!cells.every((cell) => RULE.test(cell))) rows.push({ line: lines - breaks, cells });
    return null;
  };
  try {
    parse(text, {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: addRow,
    });
    return { rows, isWhole: true };
  } catch {
    return { rows, isWhole: false };
  }
}

/** A first row of short words, one of them a known heading. A row with a reference is none. */
function isHeading(row: Row | undefined): boolean {
  if (!row || row.cells.some((cell) => cell.length > MAX_HEADING || findReferences(cell).length > 0)) return false;
  // Tables without headings have names of networks too.
  return row.cells.some((cell) => classifyHeading(cell) !== null && !isOtherNetwork(cell));
}

function classifyHeading(cell: string): Role | null {
  if (VIDEO_TITLE.test(cell) || isOtherNetwork(cell)) return "other";
  const roles = ["name", "note", "tags", "channel", "list", "network"] as const;
  return roles.find((role) => HEADINGS[role].test(cell)) ?? null;
}

/** The columns with channels: by their headings, else those with references in most cells, else all. */
function findChannelColumns(rows: readonly Row[], roles: readonly (Role | null)[]): number[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const all = Array.from({ length: width }, (_, column) => column);
  const filled = all.map((column) => rows.map(({ cells }) => cells[column] ?? "").filter(Boolean));
  const counts = filled.map((cells) => cells.filter((cell) => parseWhole(cell)).length);
  const named = all.filter((column) => roles[column] === "channel" && (counts[column] ?? 0) > 0);
  if (named.length > 0) return named;
  const open = all.filter((column) => ![...OPTIONAL, "other"].includes(roles[column] ?? "name"));
  const full = open.filter((column) => (counts[column] ?? 0) * 2 >= Math.max(1, filled[column]?.length ?? 0));
  return full.length > 0 ? full : open;
}

interface Reading {
  /** The columns with channels. */
  columns: ReadonlySet<number>;
  /** Cells of columns that are neither for channels nor for notes. */
  others: readonly string[];
  hasHeadings: boolean;
  /** Whether a separator within a text moved the cells, which makes a handle doubtful. */
  hasMoved: boolean;
  /** The cell of the column of handles. */
  bareHandle: string | undefined;
  network: string | undefined;
}

/** The channel of a record. Channels in other cells become records without one, so that they are not lost. */
function readRecord(
  { line, cells }: Row,
  { columns, others, hasHeadings, hasMoved, bareHandle, network = "" }: Reading,
): ListRecord[] {
  const filled = cells.filter(Boolean);
  const at = { line, text: filled.join(" · ").replace(/\s+/g, " ") };
  const whole = filled.flatMap((cell) => parseWhole(cell) ?? []);
  if (!hasHeadings && whole.length === filled.length) return [{ ...at, found: whole }];
  const inColumns = cells.filter((_, column) => columns.has(column));
  const isLinked = whole.some((each) => isChannel(each) && !isMention(each));
  const isAlone = filled.length === 1 && (!hasHeadings || cells.length === 1 || isLinked);
  const own = isAlone ? filled : inColumns;
  const inCells = own.map(findReferences);
  const strongest = new Set(pickStrongest(inCells.flat()));
  const found = inCells.map((each) => each.filter((one) => strongest.has(one))).find(({ length }) => length > 0) ?? [];
  if (isOtherNetwork(network) && found.every(isMention))
    return [{ ...at, found: [], reason: `A handle of ${network}` }];
  const names = new Set(found.map(getFoundName));
  const leaveOut = (all: readonly Found[], reason: string) =>
    all
      .filter((each) => isChannel(each) && !names.has(getFoundName(each)))
      .map(({ text }) => ({ ...at, text, found: [], reason }));
  const offered = found.length === 0 ? offerHandle(bareHandle) : null;
  if (offered) return [{ ...at, found: [offered] }];
  return [
    { ...at, found: found.map((each) => (hasMoved && isMention(each) ? { ...each, doubtful: at.text } : each)) },
    ...leaveOut([...strongest], "Another channel of this row"),
    ...leaveOut(others.flatMap(findReferences), "Not in the column of channels"),
  ];
}
