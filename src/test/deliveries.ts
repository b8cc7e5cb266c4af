import { eq } from "drizzle-orm";
import { deliveries } from "@/db/schema";
import { type DailyRuns, useDailyRuns } from "./daily-run";
import type { FakeMailService } from "./destinations";

type Delivery = typeof deliveries.$inferSelect;

/** Deliveries for one test file. */
interface Deliveries {
  runs: DailyRuns;
  /** Reads an alert's delivery; by default the email. */
  getDelivery(alertId: string, destination?: Delivery["destination"]): Promise<Delivery | undefined>;
  /** Updates an alert's deliveries. */
  setDelivery(alertId: string, values: Partial<typeof deliveries.$inferInsert>): Promise<void>;
  /** When an alert's email was handed to the mail service, once per try. */
  listTries(alertId: string): FakeMailService["tries"];
  /** Runs the jobs of waiting deliveries, as a starting process does. */
  deliverAll(): Promise<void>;
  /** Runs the sweep and the jobs that it starts. */
  sweep(): Promise<void>;
}

export function useDeliveries(): Deliveries {
  const runs = useDailyRuns();
  const { service } = runs;
  return {
    runs,
    async getDelivery(alertId, destination = "email") {
      const rows = await service.db.select().from(deliveries).where(eq(deliveries.alertId, alertId));
      return rows.find((row) => row.destination === destination);
    },
    async setDelivery(alertId, values) {
      await service.db.update(deliveries).set(values).where(eq(deliveries.alertId, alertId));
    },
    listTries: (alertId) => runs.mailService.tries.filter(({ sent }) => sent.idempotencyKey === `alert/${alertId}`),
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
