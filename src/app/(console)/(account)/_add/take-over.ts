import pLimit from "p-limit";
import { formatQuantity } from "@/core/format";
import { toChunks } from "@/core/parallel";
import type { trpc } from "../../_client/trpc";
import type { Row } from "./rows";
import { CHANNELS_PER_REQUEST } from "./use-adding";

type Client = ReturnType<typeof trpc.useUtils>["client"];
/** The columns that the person wants to keep. */
export interface Wanted {
  list: boolean;
  note: boolean;
}

const CALLS_AT_ONCE = 4;

/**
 * Puts tracked creators into the lists, and saves the notes, that their rows name. A note that exists stays.
 * @returns what failed, in one sentence; null when nothing did
 */
export async function takeOver(client: Client, rows: readonly Row[], wanted: Wanted, tracked: readonly string[]) {
  const ids = new Set(tracked);
  const kept = rows.flatMap(({ entry, channel }) =>
    channel && ids.has(channel.channel_id) ? [{ ...entry, id: channel.channel_id }] : [],
  );
  const problems: string[] = [];
  const attempt = async (work: Promise<void>) => {
    await work.catch((error: Error) => problems.push(error.message));
  };
  if (wanted.list) {
    const { lists } = await client.lists.all.query();
    const names = new Map(kept.flatMap(({ list }) => (list ? [[list.toLowerCase(), list]] : [])));
    for (const [folded, name] of names) {
      const channelIds = kept.filter(({ list }) => list?.toLowerCase() === folded).map(({ id }) => id);
      const existing = lists.find((list) => list.name.toLowerCase() === folded);
      await attempt(addToList(client, existing ?? { name }, channelIds));
    }
  }
  const notes = wanted.note ? kept.filter(({ note }) => note) : [];
  await pLimit(CALLS_AT_ONCE).map(notes, ({ id, note }) => attempt(saveNote(client, id, note ?? "")));
  return problems.length === 0
    ? null
    : `Could not save ${formatQuantity(problems.length, "list or note", "lists or notes")}: ${problems[0]}`;
}

async function addToList(
  client: Client,
  list: { id?: string; name: string },
  channelIds: readonly string[],
): Promise<void> {
  const id = list.id ?? (await client.lists.create.mutate({ name: list.name })).id;
  for (const channel_ids of toChunks(channelIds, CHANNELS_PER_REQUEST))
    await client.lists.add.mutate({ id, channel_ids });
}

async function saveNote(client: Client, channel_id: string, note: string): Promise<void> {
  const existing = await client.notes.get.query({ channel_id });
  if (existing.note === "") await client.notes.save.mutate({ channel_id, note });
}
