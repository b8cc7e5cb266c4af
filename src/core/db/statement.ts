import { type ExtractTablesWithRelations, fillPlaceholders, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Database } from "./client";
import type * as schema from "./schema";

type Session = PostgresJsSession<Sql, typeof schema, ExtractTablesWithRelations<typeof schema>>;

/** Asks a database, or a transaction of it, for rows as the driver hands them over: 64 bits as text. */
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
  const { sql, params } = new PgDialect({ casing: "snake_case" }).sqlToQuery(text);
  return (db, values) => {
    const session = db._.session as Session;
    return session.queryObjects<Row>(sql, fillPlaceholders(params, values));
  };
}
