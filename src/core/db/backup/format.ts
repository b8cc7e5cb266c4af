import postgres from "postgres";
import journal from "../../../../drizzle/meta/_journal.json" with { type: "json" };
import { readAddress } from "../address";

/** A backup is a gzip file with one JSON value per line: this header, then `["table", {row}]` for each row. */
export const HEADER = { format: "creator-growth-backup-2", schema: journal.entries.at(-1)?.tag ?? "" };

export interface BackupSize {
  tables: number;
  rows: number;
}

export async function withConnection<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const { url: address, ssl, prepare } = readAddress(url);
  const client = postgres(address, { max: 1, ssl, prepare, connect_timeout: 10, onnotice: () => {} });
  try {
    return await work(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** The names of all tables, each after those it refers to. References must not form a circle. */
export async function listTables(tx: postgres.TransactionSql): Promise<string[]> {
  const tables = await tx<{ name: string }[]>`
    with recursive ranked (id, rank) as (
      select oid, 0 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      union
      select conrelid, rank + 1 from ranked
      join pg_constraint on contype = 'f' and confrelid = id and conrelid <> id)
    select relname as name from ranked join pg_class on oid = id group by relname order by max(rank), relname`;
  return tables.map(({ name }) => name);
}
