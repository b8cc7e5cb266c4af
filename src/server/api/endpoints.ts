import { alertEndpoints } from "@/features/alerts/endpoints";
import { changesEndpoints } from "@/features/changes/endpoints";
import { creatorEndpoints } from "@/features/creators/endpoints";
import { discoveryEndpoints } from "@/features/discovery/endpoints";
import type { Contract, Endpoint } from "@/features/endpoint";
import { emailEndpoints } from "@/features/notifications/endpoints";
import { usageEndpoints } from "@/features/usage/endpoints";

/** Every endpoint that needs a key, in the order of the documentation. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...discoveryEndpoints,
  ...creatorEndpoints,
  ...emailEndpoints,
  ...alertEndpoints,
  ...changesEndpoints,
  ...usageEndpoints,
];

export const CONTRACTS: readonly Contract[] = ENDPOINTS.map(({ contract }) => contract);

/** An endpoint by the id of its contract. */
export function getEndpoint(id: string): Endpoint {
  const found = ENDPOINTS.find(({ contract }) => contract.id === id);
  if (!found) throw new Error(`no endpoint has the id ${id}`);
  return found;
}
