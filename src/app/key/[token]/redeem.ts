"use server";

import { redeemLink } from "@/features/keys/requests.service";
import { openForm } from "../../request-id";

export type Redeemed = Awaited<ReturnType<typeof redeem>>;

/** Makes the key of a one-time link. Only a press reaches it. */
export async function redeem(token: string) {
  const issued = await redeemLink(await openForm(), token);
  return { secret: issued?.secret ?? null, isUsed: issued === null };
}
