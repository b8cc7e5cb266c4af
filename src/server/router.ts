import { createCallerFactory, router } from "@/core/trpc";
import { addressesRouter } from "@/features/addresses/router";
import { alertsRouter } from "@/features/alerts/router";
import { creatorsRouter } from "@/features/creators/router";
import { discoveryRouter } from "@/features/discovery/router";
import { keysRouter } from "@/features/keys/router";
import { requestsRouter } from "@/features/requests/router";
import { sessionsRouter } from "@/features/sessions/router";
import { snapshotsRouter } from "@/features/snapshots/router";
import { usageRouter } from "@/features/usage/router";

/** Every procedure of the console, by feature. */
export const appRouter = router({
  addresses: addressesRouter,
  alerts: alertsRouter,
  creators: creatorsRouter,
  discovery: discoveryRouter,
  keys: keysRouter,
  requests: requestsRouter,
  sessions: sessionsRouter,
  snapshots: snapshotsRouter,
  usage: usageRouter,
});

/** What the console's client is typed by. */
export type AppRouter = typeof appRouter;

/** Calls procedures in process. */
export const createCaller = createCallerFactory(appRouter);
