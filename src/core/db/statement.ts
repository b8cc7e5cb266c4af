import { type ExtractTablesWithRelations, fillPlaceholders, type SQL, sql } from "drizzle-orm";
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
