import { listAlertsContract } from "@/features/alerts/contracts.schema";
import { alertsByQuery } from "@/features/alerts/list.service";
import { endpoint, resource } from "@/server/rest";

// /api/alerts – the key's alert history
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource(
  endpoint(listAlertsContract, ({ ctx, key, query }) => alertsByQuery(ctx, key.id, query)),
);
