import { alertsRouter } from "@/features/alerts/router";
import { creatorsRouter, sharesRouter } from "@/features/creators/router";
import { discoveryRouter } from "@/features/discovery/router";
import { keysRouter } from "@/features/keys/router";
import { listsRouter, notesRouter, viewsRouter } from "@/features/lists/router";
import { addressesRouter, digestsRouter, mutesRouter } from "@/features/notifications/router";
import { router } from "@/features/procedures";
import { sessionsRouter } from "@/features/sessions/router";
import { snapshotsRouter } from "@/features/snapshots/router";
import { requestsRouter, usageRouter } from "@/features/usage/router";

export const appRouter = router({
  addresses: addressesRouter,
  alerts: alertsRouter,
  creators: creatorsRouter,
  digests: digestsRouter,
  discovery: discoveryRouter,
  keys: keysRouter,
  lists: listsRouter,
  mutes: mutesRouter,
  notes: notesRouter,
  requests: requestsRouter,
  sessions: sessionsRouter,
  shares: sharesRouter,
  snapshots: snapshotsRouter,
  usage: usageRouter,
  views: viewsRouter,
});

export type AppRouter = typeof appRouter;
