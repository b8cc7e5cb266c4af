import { createProcedures, type ProcedureContext } from "@/core/http/trpc";
import type { DiscoveryContext } from "@/features/discovery/entries.service";
import type { SignedInKey } from "@/features/keys/schema";

/** The procedures that the features' routers are made of. */
export const { router, createCallerFactory, open, signedIn, counted } = createProcedures<
  SignedInKey,
  ProcedureContext<SignedInKey> & DiscoveryContext
>();
