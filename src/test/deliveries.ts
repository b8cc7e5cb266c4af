import { eq } from "drizzle-orm";
import { deliveries } from "@/core/db/schema";
import { type DailyRuns, useDailyRuns } from "./daily-run";
import type { FakeMailService } from "./destinations";

type Delivery = typeof deliveries.$inferSelect;

/** Deliveries for one test file, and what becomes of them. */
interface Deliveries {
  runs: DailyRuns;
  /** What is known of an alert's delivery; of the mail unless told otherwise. */
  deliveryOf(alertId: string, destination?: Delivery["destination"]): Promise<Delivery | undefined>;
  /** Changes what is known of an alert's deliveries. */
  setDelivery(alertId: string, values: Partial<typeof deliveries.$inferInsert>): Promise<void>;
  /** How often, and when, an alert's mail was handed to the mail service. */
  triesFor(alertId: string): FakeMailService["tries"];
  /** Starts the jobs of what waits, as a started process does, and works them off. */
  deliverAll(): Promise<void>;
  /** Has the sweep look for what was left, and works that off. */
  sweep(): Promise<void>;
}

export function useDeliveries(): Deliveries {
  const runs = useDailyRuns();
  const { service } = runs;
  return {
    runs,
    async deliveryOf(alertId, destination = "email") {
      const rows = await service.db.select().from(deliveries).where(eq(deliveries.alertId, alertId));
      return rows.find((row) => row.destination === destination);
    },
    async setDelivery(alertId, values) {
      await service.db.update(deliveries).set(values).where(eq(deliveries.alertId, alertId));
    },
    triesFor: (alertId) =>
      runs.mailService.tries.filter(({ sent }) => sent.idempotencyKey === `alert/${alertId}`),
    async deliverAll() {
      await service.catchUp();
      await service.drain();
    },
    async sweep() {
      service.engine.fireCron("creator-growth-sweep-deliveries", service.clock.now());
      await service.drain();
    },
  };
}
