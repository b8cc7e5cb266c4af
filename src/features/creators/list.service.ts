import { and, eq } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { foldName } from "@/core/fields";
import type { CoreContext } from "@/db/context";
import { creatorLists } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import { type TrackedListQuery, TrackedSort } from "./query.schema";
import { listTracked } from "./rows.service";
import { selectTrackedPage } from "./table.service";

/** The key's tracked creators by the query of the API: a page in an order, or those after a channel id. */
export async function queryTracked(ctx: CoreContext, keyId: KeyId, query: TrackedListQuery) {
  const { after, sort, list, offset = 0, limit, ...bounds } = query;
  const filter = { ...bounds, list: list === undefined ? null : await findListId(ctx, keyId, list) };
  if (after !== undefined) {
    const selection = { filter: { ...filter, after }, order: "channel_id" as const, page: { offset: 0, limit } };
    const found = await selectTrackedPage(ctx, keyId, selection);
    return { ...found, next_after: found.creators.at(-1)?.channel_id ?? after };
  }
  const page = { offset, limit };
  const isPlain = [sort, list, ...Object.values(bounds)].every((value) => value === undefined);
  if (isPlain) return { ...(await listTracked(ctx, keyId, page)), next_after: null };
  const by = sort ?? "-tracked_since";
  const order = { sort: TrackedSort.parse(by.replace("-", "")), descending: by.startsWith("-") };
  return { ...(await selectTrackedPage(ctx, keyId, { filter, order, page })), next_after: null };
}

/** @throws AppError `list_not_found` when the key has no list with this name */
async function findListId({ db }: CoreContext, keyId: KeyId, name: string): Promise<string> {
  const [list] = await db
    .select({ id: creatorLists.id })
    .from(creatorLists)
    .where(and(eq(creatorLists.keyId, keyId), eq(creatorLists.foldedName, foldName(name))));
  if (!list) throw new AppError("list_not_found", "Your key has no list with this name");
  return list.id;
}
