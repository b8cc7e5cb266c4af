"use server";

import { redeemLink } from "@/features/keys/requests.service";
import { openForm } from "../../request-id";

/** The secret of the new key, for this answer alone. */
export interface Redeemed {
  secret: string | null;
  isUsed: boolean;
}

/** Makes the key of a one-time link. Only a press reaches it. */
export async function redeem(token: string): Promise<Redeemed> {
  const issued = await redeemLink(await openForm(), token);
  return { secret: issued?.secret ?? null, isUsed: issued === null };
}
