import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, date, timestamp } from "drizzle-orm/pg-core";

/** An instant to the millisecond. Always given by the injected clock, so none has a default. */
export const instantColumn = (name = "") =>
  timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** A UTC calendar day, `YYYY-MM-DD`. */
export const dayColumn = () => date({ mode: "string" });

/** A count of the platform: subscribers and views pass 2^31, none comes near 2^53. */
export const countColumn = () => bigint({ mode: "number" });

/** Check condition: the column holds one of the given words. */
export function isOneOf(column: AnyPgColumn, words: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(", "))})`;
}

/** A text of ASCII in lower case, by no language: where the database speaks Turkish, `I` would become `ı`. */
export function lowerCase(column: AnyPgColumn): SQL {
  return sql`lower(${column} collate "C")`;
}
