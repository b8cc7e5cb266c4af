import postgres from "postgres";
import { readAddress } from "../address";
import { SESSION } from "../client";
import type { Table } from "./file";

/** Runs work on a connection of its own, and closes it. */
export async function withConnection<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const { url: address, ssl, prepare } = readAddress(url);
  const connection = { ...SESSION };
  const options = {
    max: 1,
    ssl,
    prepare,
    connection,
    connect_timeout: 10,
    onnotice: () => {},
  };
  const client = postgres(address, options);
  try {
    return await work(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** All tables with their columns, each after those it refers to. */
export async function listTables(sql: postgres.TransactionSql): Promise<Table[]> {
  const tables = await sql<(Table & { needs: string[] })[]>`
    select relname as table,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      array(select confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> pg_class.oid) as needs
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`;
  const sorted: Table[] = [];
  const left = [...tables];
  while (left.length > 0) {
    const at = left.findIndex(({ needs }) =>
      needs.every((name) => sorted.some(({ table }) => table === name)),
    );
    const [next] = left.splice(Math.max(at, 0), 1);
    if (at < 0 || !next) throw new Error("tables refer to one another in a circle");
    sorted.push({ table: next.table, columns: next.columns });
  }
  return sorted;
}

/** A table with its columns, as a COPY names them. */
export function namesOf({ table, columns }: Table): string {
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  return `${quoted(table)} (${columns.map(quoted).join(", ")})`;
}
