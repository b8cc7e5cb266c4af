import type { SQL } from "drizzle-orm";
import type { Env } from "@/core/env";
import type { Check, CheckResult } from "@/core/http/check";
import type { Monitoring } from "@/core/mail/monitoring";
import type { deliveries } from "@/db/schema";
import type { DestinationName } from "@/db/values";
import type { MessageContext, StoredMail } from "../messages.service";

export interface DeliveryContext extends MessageContext {
  monitoring: Monitoring;
}

export type Delivery = typeof deliveries.$inferSelect;

/** How a try ends that does not fail. */
export type Outcome = Pick<Delivery, "status" | "problem"> & { messageId?: string | null };

/** What a try hands over. */
export interface Message {
  /** The email address of the key's owner, stored with the delivery. Left out by other destinations. */
  recipient?: string;
  /** Stored before it leaves, so that every try sends the same bytes. */
  mail?: StoredMail;
  /** @returns the id that the destination gave it, if any. @throws DestinationError */
  send(stored: StoredMail | null): Promise<string | null>;
}

/** One way to notify. All that the product knows of a destination is here. */
export interface Destination {
  /** Its value in `deliveries.destination`. */
  readonly name: DestinationName;
  /** Its name for operators. */
  readonly title: string;
  /** The id of its job, by which engines find the job again: it never changes. */
  readonly jobId: string;
  /** Deliveries a second. */
  readonly perSecond: number;
  /** Whether weekly digests go there. */
  readonly hasDigests: boolean;
  /**
   * Finds who gets the new alerts.
   * @returns a query of `id, recipient` over `made (id, key_id, channel_id)`; no row for a key that wants none. `recipient` is an email
   *   address, and null for other destinations
   */
  recipientsSql(): SQL;
  /** Renders the message of a delivery, or says why nothing is to be sent. */
  render(ctx: DeliveryContext, delivery: Delivery): Promise<Message | Outcome>;
  /** Milliseconds to wait before resending a message whose outcome has been unknown for `unknownForMs`. */
  getRepeatWait(unknownForMs: number): number;
  /** What `npm run doctor` checks of it. */
  listChecks(env: Env): (Check | CheckResult)[];
}
