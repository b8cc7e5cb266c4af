import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { bigint, date, doublePrecision, integer, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const idColumn = () => uuid().primaryKey().defaultRandom();
/** An instant in milliseconds. It has no default, because times come from the injected clock. */
export const instantColumn = (name = "") => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const dayColumn = () => date({ mode: "string" });
/** Subscribers and views exceed 2^31 but stay far below 2^53. */
export const countColumn = (name = "") => bigint(name, { mode: "number" });

export const countColumns = () => ({ subscribers: countColumn(), views: countColumn(), videos: integer() });
export const percentColumn = (name = "") => doublePrecision(name);
export const requiredText = () => text().notNull();

export function isOneOfSql(column: AnyPgColumn, words: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(", "))})`;
}

/** ASCII text in lower case. The "C" collation keeps a Turkish database from turning `I` into `ı`. */
export function lowerCaseSql(column: AnyPgColumn): SQL {
  return sql`lower(${column} collate "C")`;
}
