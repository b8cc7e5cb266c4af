import type postgres from "postgres";
import { SECOND } from "@/core/time";

/** A statement with more parameters has one for each of many rows: too many forms to keep them all prepared. */
const MAX_PREPARED_PARAMETERS = 100;
/** Longer than `statement_timeout`, so a server that is up has answered by then. */
const UNANSWERED_MS = 40 * SECOND;
const CHECK_MS = 5 * SECOND;
/** No statement may take longer. */
const DRAIN_SECONDS = 120;

type Unsafe = postgres.Sql["unsafe"];
type Work = (tx: postgres.TransactionSql) => Promise<unknown>;

/** Replaces the pool when a server vanishes without a word, which the kernel notices after a quarter of an hour. */
export function openPool(open: () => postgres.Sql): { client: postgres.Sql; close(): Promise<void> } {
  let pool = open();
  const waiting = new Set<{ since: number }>();
  const check = setInterval(() => {
    const [oldest] = waiting;
    if (oldest && performance.now() - oldest.since > UNANSWERED_MS) replace();
  }, CHECK_MS).unref();

  function replace(): void {
    const { end, options } = pool;
    pool = open();
    // Drizzle put its own there.
    Object.assign(pool.options.parsers, options.parsers);
    Object.assign(pool.options.serializers, options.serializers);
    waiting.clear();
    void end({ timeout: DRAIN_SECONDS });
  }

  function watch(): () => void {
    const entry = { since: performance.now() };
    waiting.add(entry);
    return () => void waiting.delete(entry);
  }

  /** Drizzle itself asks for a prepared statement only where a query has a name. */
  function preparing(unsafe: () => Unsafe): Unsafe {
    return (text, parameters = [], options) => {
      const prepare = parameters.length <= MAX_PREPARED_PARAMETERS;
      const query = unsafe()(text, parameters, { ...options, prepare });
      const answered = watch();
      query.then(answered, answered);
      return query as never;
    };
  }

  function inTransaction(tx: postgres.TransactionSql): postgres.TransactionSql {
    const { unsafe, savepoint } = tx;
    const nested = (work: Work) => savepoint((inner) => work(inTransaction(inner)));
    return Object.assign(tx, { unsafe: preparing(() => unsafe), savepoint: nested as typeof savepoint });
  }

  function begin(work: Work): Promise<unknown> {
    const begun = watch();
    const run = (tx: postgres.TransactionSql) => {
      begun();
      return work(inTransaction(tx));
    };
    return pool.begin(run).finally(begun);
  }

  return {
    // The driver's overloads say no more than this.
    client: { ...pool, unsafe: preparing(() => pool.unsafe), begin } as unknown as postgres.Sql,
    close: () => {
      clearInterval(check);
      return pool.end({ timeout: 5 });
    },
  };
}
