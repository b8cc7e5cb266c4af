import { type SQL, sql } from "drizzle-orm";
import { DESTINATIONS, type DestinationName } from "@/db/values";
import { email } from "./destinations/email.service";
import { monitoring } from "./destinations/monitoring.service";
import type { Destination } from "./destinations/port.service";

const BY_NAME: Readonly<Record<DestinationName, Destination>> = { email, monitoring };

/** Everything that notifies, in the order of the database's values. */
export const destinations: readonly Destination[] = DESTINATIONS.map((name) => BY_NAME[name]);

export function getDestination(name: DestinationName): Destination {
  return BY_NAME[name];
}

/** The part of a `with` clause that creates the deliveries of new alerts, one for each destination with a recipient. */
export function insertDeliveriesSql(now: SQL): SQL {
  const rows = destinations.map(
    ({ name, recipientsSql }) =>
      sql`select id, ${sql.raw(`'${name}'`)}, recipient, 'pending', ${now}, 0 from (${recipientsSql()}) as recipients`,
  );
  return sql`delivered as (
      insert into deliveries (alert_id, destination, recipient, status, created_at, attempts)
      ${sql.join(rows, sql` union all `)}
    )`;
}
