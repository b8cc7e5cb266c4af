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

/** Replaces the pool when the server stops responding; the kernel would notice only after 15 minutes. */
export function openPool(open: () => postgres.Sql) {
  let pool = open();
  const waiting = new Set<{ since: number }>();
  const check = setInterval(() => {
    const [oldest] = waiting;
    if (oldest && performance.now() - oldest.since > UNANSWERED_MS) replace();
  }, CHECK_MS).unref();

  function replace(): void {
    const { end, options } = pool;
    pool = open();
    // Drizzle installed its parsers and serializers on the old pool.
    Object.assign(pool.options.parsers, options.parsers);
    Object.assign(pool.options.serializers, options.serializers);
    waiting.clear();
    void end({ timeout: DRAIN_SECONDS });
  }

  function trackPending(): () => void {
    const entry = { since: performance.now() };
    waiting.add(entry);
    return () => void waiting.delete(entry);
  }

  /** Prepares queries: Drizzle does so only for named ones. */
  function prepareQueries(unsafe: () => Unsafe): Unsafe {
    return (text, parameters = [], options) => {
      const prepare = parameters.length <= MAX_PREPARED_PARAMETERS;
      const query = unsafe()(text, parameters, { ...options, prepare });
      const answered = trackPending();
      query.then(answered, answered);
      return query as never;
    };
  }

  function wrapTransaction(tx: postgres.TransactionSql): postgres.TransactionSql {
    const { unsafe, savepoint } = tx;
    const runNested = (work: Work) => savepoint((inner) => work(wrapTransaction(inner)));
    return Object.assign(tx, {
      unsafe: prepareQueries(() => unsafe),
      savepoint: runNested as typeof savepoint,
    });
  }

  function begin(work: Work): Promise<unknown> {
    const begun = trackPending();
    const run = (tx: postgres.TransactionSql) => {
      begun();
      return work(wrapTransaction(tx));
    };
    return pool.begin(run).finally(begun);
  }

  return {
    // The cast bridges the driver's overloads.
    client: { ...pool, unsafe: prepareQueries(() => pool.unsafe), begin } as unknown as postgres.Sql,
    /** Statements without an answer, and transactions without a connection. */
    countPending: () => waiting.size,
    close: (): Promise<void> => {
      clearInterval(check);
      return pool.end({ timeout: 5 });
    },
  };
}
