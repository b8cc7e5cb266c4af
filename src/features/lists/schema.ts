import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { ChannelId, ChannelIds } from "@/features/creators/schema";
import { MAX_NAME_LENGTH } from "./rules";

const NAME_FORM = `must have 1 to ${MAX_NAME_LENGTH} characters`;

/** The name of a list or a saved view. */
export const NameInput = z
  .string(NAME_FORM)
  .trim()
  .min(1, NAME_FORM)
  .max(MAX_NAME_LENGTH, NAME_FORM)
  .regex(PLAIN_TEXT, PLAIN_TEXT_FORM);

const ListId = z.uuid().describe("Identifier of the list");

export interface CreatorList {
  id: string;
  name: string;
  /** Tracked creators in the list. */
  creators: number;
}

export const NewList = z.object({ name: NameInput });
export const ListParams = z.object({ id: ListId });
export const RenameList = ListParams.extend({ name: NameInput });
export const ListChange = ListParams.extend({ channel_ids: ChannelIds });
export const ListsOfInput = z.object({ channel_id: ChannelId });
