import { eq } from "drizzle-orm";
import { deliveries } from "@/db/schema";
import { useDailyRuns } from "./daily-run";

type Delivery = typeof deliveries.$inferSelect;

/** Deliveries for one test file. */
export function useDeliveries() {
  const runs = useDailyRuns();
  const { service } = runs;
  return {
    runs,
    /** Reads an alert's delivery; by default the email. */
    async getDelivery(alertId: string, destination: Delivery["destination"] = "email"): Promise<Delivery | undefined> {
      const rows = await service.db.select().from(deliveries).where(eq(deliveries.alertId, alertId));
      return rows.find((row) => row.destination === destination);
    },
    /** Updates an alert's deliveries. */
    async setDelivery(alertId: string, values: Partial<typeof deliveries.$inferInsert>): Promise<void> {
      await service.db.update(deliveries).set(values).where(eq(deliveries.alertId, alertId));
    },
    /** When an alert's email was handed to the mail service, once per try. */
    listTries: (alertId: string) =>
      runs.mailService.tries.filter(({ sent }) => sent.idempotencyKey === `alert/${alertId}`),
    /** Runs the jobs of waiting deliveries, as a starting process does. */
    async deliverAll(): Promise<void> {
      await service.catchUp();
      await service.drain();
    },
    /** Runs the sweep and the jobs that it starts. */
    async sweep(): Promise<void> {
      service.engine.fireCron("creator-growth-sweep-deliveries", service.clock.now());
      await service.drain();
    },
  };
}
