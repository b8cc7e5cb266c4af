import { listAlertsContract } from "@/features/alerts/schema";
import { listAlerts } from "@/features/alerts/service";
import { endpoint, resource } from "@/server/rest";

// /api/alerts – the key's alert history
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(listAlertsContract, ({ ctx, key, query }) => listAlerts(ctx, key.id, query)),
);
