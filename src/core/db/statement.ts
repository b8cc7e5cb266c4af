import { type ExtractTablesWithRelations, fillPlaceholders, type SQL, sql } from "drizzle-orm";
import { type PgColumn, PgDialect } from "drizzle-orm/pg-core";
import type { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Database } from "./client";
import type * as schema from "./schema";

type Session = PostgresJsSession<Sql, typeof schema, ExtractTablesWithRelations<typeof schema>>;

/** Asks a database, or a transaction of it, for rows as the driver hands them over. */
export type Statement<Row, Values> = (db: Database, values: Values) => Promise<Row[]>;

/**
 * A statement of every request: its text is put together once, and it takes the short way to the driver, as all that
 * drizzle does for one costs more than the rest of a request. It is sent once it is awaited, and fails with the driver's
 * own error.
 * @param text in which each value that differs from use to use is a placeholder of that name
 */
export function statement<Row extends object, Values extends Record<string, unknown>>(
  text: SQL,
): Statement<Row, Values> {
  const query = new PgDialect({ casing: "snake_case" }).sqlToQuery(text);
  return (db, values) => {
    const session = db._.session as Session;
    return session.queryObjects<Row>(query.sql, fillPlaceholders(query.params, values));
  };
}

/**
 * A placeholder whose value the planner is not shown. It would plan a statement anew for each key, by how much the key
 * has, where a plan for any key is as good, and planning costs more than the rest.
 */
export function unplanned(name: string, type: "int" | "text"): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;
}

/** A row of `columnsOf`. */
export type Selected<Columns extends Record<string, PgColumn>> = {
  [Name in keyof Columns]: Readable<
    Columns[Name]["_"]["notNull"] extends true
      ? Columns[Name]["_"]["data"]
      : Columns[Name]["_"]["data"] | null
  >;
};
type Readable<Data> = Data extends Date ? string : Data;

/** What a statement selects, by the names in the code: counts of 64 bits as numbers, instants as texts of ISO 8601. */
export function columnsOf(columns: Record<string, PgColumn>): SQL {
  const named = Object.entries(columns).map(
    ([name, column]) => sql`${readable(column)} as ${sql.identifier(name)}`,
  );
  return sql.join(named, sql`, `);
}

/** The driver hands over 64 bits, and instants, as texts of the server's own. */
function readable(column: PgColumn): SQL | PgColumn {
  const type = column.getSQLType();
  if (type === "bigint") return sql`${column}::float8`;
  return type.startsWith("timestamp") ? isoText(column) : column;
}

/** An instant, to the millisecond, as a text of ISO 8601. */
export function isoText<Column extends PgColumn>(
  column: Column,
): SQL<Column["_"]["notNull"] extends true ? string : string | null> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
