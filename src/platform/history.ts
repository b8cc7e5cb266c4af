import { parse } from "csv-parse/sync";
import { getErrorMessage, isOperatorError, OperatorError } from "@/core/errors";
import { addDays, type Clock, type Day, toUtcDay } from "@/core/time";
import { createLocalPlatform } from "./local";
import type { ChannelStats, VideoPlatform } from "./port";

const COUNTS = ["subscribers", "views", "videos"] as const;
const COLUMNS = ["channel_id", "date", ...COUNTS] as const;

type Row = Record<(typeof COLUMNS)[number], string>;

type Count = (typeof COUNTS)[number];
/** The counts of a channel on a day; null when blank. */
type HistoryCounts = Pick<ChannelStats, Count>;

export type History = ReturnType<typeof readHistory>;

/**
 * Reads a CSV of `channel_id,date,subscribers,views,videos` with one row per channel and UTC day, in any order. A blank
 * count is unknown.
 * @throws OperatorError with line and column for anything else
 */
export function readHistory(csvText: string) {
  const byChannel = new Map<string, Map<Day, HistoryCounts>>();
  const days = new Set<Day>();
  parseRows(csvText, (row, line) => {
    const channelId = row.channel_id;
    if (channelId === "") throw createRowError(line, "channel_id", "must not be blank");
    if (!days.has(row.date) && !isDay(row.date))
      throw createRowError(line, "date", `must be a day like 2026-01-31, not "${row.date.slice(0, 40)}"`);
    const channel = byChannel.get(channelId) ?? new Map<Day, HistoryCounts>();
    if (channel.has(row.date)) throw createRowError(line, "date", `${channelId} has a second row on ${row.date}`);
    channel.set(row.date, {
      subscribers: readCount(row, "subscribers", line),
      views: readCount(row, "views", line),
      videos: readCount(row, "videos", line),
    });
    byChannel.set(channelId, channel);
    days.add(row.date);
  });
  const sorted = [...days].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) throw new OperatorError("CSV: there are no rows");
  return {
    channelIds: [...byChannel.keys()],
    days: sorted,
    first,
    last,
    /** Null without a row for this channel and day. */
    getCounts: (channelId: string, day: Day): HistoryCounts | null => byChannel.get(channelId)?.get(day) ?? null,
  };
}

/** A platform that answers with the file's counts of the clock's UTC day. Channels without a row on it are missing. */
export function createHistoryPlatform(history: History, clock: Clock): VideoPlatform {
  return createLocalPlatform("history", {
    read(channelId) {
      const counts = history.getCounts(channelId, toUtcDay(clock.now()));
      return counts && { channelId, name: channelId, handle: null, thumbnailUrl: null, country: null, ...counts };
    },
    findId: () => undefined,
    search: () => [],
  });
}

function parseRows(csvText: string, onRow: (row: Row, line: number) => void): void {
  try {
    parse<Row>(csvText, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      columns: checkHeader,
      // Row by row, to avoid a second copy of a large file in memory.
      on_record: (row, { lines }) => {
        onRow(row, lines);
        return null;
      },
    });
  } catch (error) {
    if (isOperatorError(error)) throw error;
    throw new OperatorError(`CSV: ${getErrorMessage(error)}`, { cause: error });
  }
}

function checkHeader(header: string[]): string[] {
  if (header.join() === COLUMNS.join()) return header;
  throw new OperatorError(`CSV line 1: the header must be ${COLUMNS.join()}, not ${header.join()}`);
}

const LARGEST = { subscribers: Number.MAX_SAFE_INTEGER, views: Number.MAX_SAFE_INTEGER, videos: 2 ** 31 - 1 };

function readCount(row: Row, column: Count, line: number): number | null {
  const text = row[column];
  if (text === "") return null;
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= LARGEST[column]) return count;
  const range = `must be blank or a whole number from 0 to ${LARGEST[column]}`;
  throw createRowError(line, column, `${range}, not "${text.slice(0, 40)}"`);
}

/** Whether a text is a day of this century as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  // A day that does not exist, such as 30 February, changes in the round trip.
  return /^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) && addDays(text, 0) === text;
}

function createRowError(line: number, column: string, problem: string): OperatorError {
  return new OperatorError(`CSV line ${line}, column ${column}: ${problem}`);
}
