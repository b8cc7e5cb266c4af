import { type ExtractTablesWithRelations, fillPlaceholders, type SQL, sql } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import { type PgColumn, PgDialect } from "drizzle-orm/pg-core";
import type { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Database } from "./client";
import type * as schema from "./schema";

type Session = PostgresJsSession<Sql, typeof schema, ExtractTablesWithRelations<typeof schema>>;

/** A statement built once that goes straight to the driver: drizzle's work for it would cost more than the rest of a request. */
export function prepareStatement<Row extends object, Values extends Record<string, unknown>>(text: SQL) {
  const query = new PgDialect({ casing: "snake_case" }).sqlToQuery(text);
  return (db: Database, values: Values): Promise<Row[]> => {
    const session = db._.session as Session;
    return session.queryObjects<Row>(query.sql, fillPlaceholders(query.params, values));
  };
}

/** Hides a value from the planner, which would otherwise plan the statement again for each value. */
export function opaqueValueSql(name: string, type: "int" | "text"): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;
}

type Columns = Record<string, PgColumn>;

const casing = new CasingCache("snake_case");

/** The names of columns in the database, with what `write` makes of each, as a list. */
export function listColumnsSql(columns: Columns, write = (name: SQL, _column: PgColumn): SQL => name): SQL {
  const names = Object.values(columns).map((column) =>
    write(sql`${sql.identifier(casing.getColumnCasing(column))}`, column),
  );
  return sql.join(names, sql`, `);
}

/** Rows of some columns as the text that {@link readRowsSql} reads. */
export function formatRows<Given extends Columns>(columns: Given, rows: readonly Selected<Given>[]): string {
  const names = Object.entries(columns).map(([name, column]) => [name, casing.getColumnCasing(column)] as const);
  return JSON.stringify(rows.map((row) => Object.fromEntries(names.map(([from, to]) => [to, row[from]]))));
}

/** Rows of some columns in a `from`, under the name of the placeholder whose value has them. */
export function readRowsSql(name: string, columns: Columns): SQL {
  const types = listColumnsSql(columns, (given, column) => sql`${given} ${sql.raw(column.getSQLType())}`);
  return sql`jsonb_to_recordset(${sql.placeholder(name)}::jsonb) as ${sql.identifier(name)} (${types})`;
}

export type Selected<Columns extends Record<string, PgColumn>> = {
  [Name in keyof Columns]: Readable<
    Columns[Name]["_"]["notNull"] extends true ? Columns[Name]["_"]["data"] : Columns[Name]["_"]["data"] | null
  >;
};
type Readable<Data> = Data extends Date ? string : Data;

/** Selects columns under their names in the code: 64-bit counts as numbers, instants as ISO 8601 text. */
export function selectColumnsSql(columns: Record<string, PgColumn>): SQL {
  const named = Object.entries(columns).map(
    ([name, column]) => sql`${readableColumnSql(column)} as ${sql.identifier(name)}`,
  );
  return sql.join(named, sql`, `);
}

function readableColumnSql(column: PgColumn): SQL | PgColumn {
  const type = column.getSQLType();
  if (type === "bigint") return sql`${column}::float8`;
  return type.startsWith("timestamp") ? toIsoText(column) : column;
}

export function toIsoText<Column extends PgColumn>(
  column: Column,
): SQL<Column["_"]["notNull"] extends true ? string : string | null> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
