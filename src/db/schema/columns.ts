import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import {
  type AnyPgColumn,
  bigint,
  check,
  date,
  doublePrecision,
  integer,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

export const idColumn = () => uuid().primaryKey().defaultRandom();
/** An instant in milliseconds. It has no default, because times come from the injected clock. */
export const instantColumn = (name = "") => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const dayColumn = () => date({ mode: "string" });
/** Subscribers and views exceed 2^31 but stay far below 2^53. */
export const countColumn = (name = "") => bigint(name, { mode: "number" });

export const countColumns = () => ({ subscribers: countColumn(), views: countColumn(), videos: integer() });
export const percentColumn = (name = "") => doublePrecision(name);
export const requiredText = () => text().notNull();

/** Checks that columns of a table have only the values of their `enum`. */
export function checkKnown(...columns: AnyPgColumn[]) {
  return columns.map(({ name, keyAsName, table }) => {
    const column = Object.values(getTableColumns(table)).find((one) => one.name === name);
    const values = (column?.enumValues ?? []).map((value) => `'${value}'`).join(", ");
    const checkName = `${getTableName(table)}_${keyAsName ? toSnakeCase(name) : name}_is_known`;
    return check(checkName, sql`${column} in (${sql.raw(values)})`);
  });
}

/** ASCII text in lower case. The "C" collation keeps a Turkish database from turning `I` into `ı`. */
export function lowerCaseSql(column: AnyPgColumn): SQL {
  return sql`lower(${column} collate "C")`;
}
