import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { ChannelId, ChannelIds } from "@/features/creators/schema";
import { LISTS_PER_KEY, MAX_NAME_LENGTH } from "./rules";

const NAME_FORM = `must have 1 to ${MAX_NAME_LENGTH} characters`;

/** The name of a list or a saved view. */
export const NameInput = z
  .string(NAME_FORM)
  .trim()
  .min(1, NAME_FORM)
  .max(MAX_NAME_LENGTH, NAME_FORM)
  .regex(PLAIN_TEXT, PLAIN_TEXT_FORM);

const ListId = z.uuid().describe("Identifier of the list");

export const CreatorList = z.object({
  id: ListId,
  name: z.string(),
  creators: z.int().min(0).describe("Tracked creators in the list"),
});
export type CreatorList = z.output<typeof CreatorList>;

export const CreatorLists = z.object({
  lists: z.array(CreatorList).max(LISTS_PER_KEY).describe("Oldest first"),
  tracked: z.int().min(0).describe("All creators that the key tracks"),
});
export type CreatorLists = z.output<typeof CreatorLists>;

export const NewList = z.object({ name: NameInput });
export const ListParams = z.object({ id: ListId });
export const RenameList = ListParams.extend({ name: NameInput });
export const ListChange = ListParams.extend({ channel_ids: ChannelIds });
export const ListAnswer = z.object({ message: z.string() });
export const ListChanged = z.object({ changed: z.int().min(0).describe("Creators added or removed") });

export const ListsOfInput = z.object({ channel_id: ChannelId });
export const ListsOf = z.object({ list_ids: z.array(ListId) });
