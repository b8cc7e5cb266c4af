import { z } from "zod";
import { PLAIN_TEXT, PLAIN_TEXT_FORM } from "@/core/fields";
import { formatCount } from "@/core/format";
import { ChannelId, ChannelIds } from "@/features/creators/schema";
import { MAX_NAME_LENGTH, MAX_NOTE_LENGTH } from "./rules";

const NAME_FORM = `must have 1 to ${MAX_NAME_LENGTH} characters`;

/** The name of a list or a saved view. */
const NameInput = z
  .string(NAME_FORM)
  .trim()
  .min(1, NAME_FORM)
  .max(MAX_NAME_LENGTH, NAME_FORM)
  .regex(PLAIN_TEXT, PLAIN_TEXT_FORM);

const ListId = z.uuid().describe("Identifier of the list");

export const NewList = z.object({ name: NameInput });
export const ListParams = z.object({ id: ListId });
export const RenameList = ListParams.extend({ name: NameInput });
export const ListChange = ListParams.extend({ channel_ids: ChannelIds });
export const ListsOfInput = z.object({ channel_id: ChannelId });

const MAX_QUERY_LENGTH = 1000;
const QUERY_FORM = `must be the query of a URL of at most ${MAX_QUERY_LENGTH} characters`;

/** Parsed and written again, so that only parameters are stored. The page number is dropped. */
const ViewQuery = z
  .string(QUERY_FORM)
  .max(MAX_QUERY_LENGTH, QUERY_FORM)
  .regex(PLAIN_TEXT, QUERY_FORM)
  .transform((text) => {
    const parameters = new URLSearchParams(text);
    parameters.delete("page");
    return parameters.toString();
  })
  .pipe(z.string().max(MAX_QUERY_LENGTH, QUERY_FORM))
  .describe("The query of the overview's URL: search, filters, list and order");

export const NewView = z.object({ name: NameInput, query: ViewQuery });
export const ViewParams = z.object({ id: z.uuid().describe("Identifier of the view") });

const NOTE_FORM = `must have at most ${formatCount(MAX_NOTE_LENGTH)} characters`;
/** Text of several lines: line breaks and tabs, and no other control characters. */
const PLAIN_LINES = /^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u;

export const NoteParams = z.object({ channel_id: ChannelId });

export const NoteInput = NoteParams.extend({
  note: z
    .string(NOTE_FORM)
    .transform((text) => text.replace(/\r\n?/g, "\n").trim())
    .pipe(z.string().max(MAX_NOTE_LENGTH, NOTE_FORM).regex(PLAIN_LINES, PLAIN_TEXT_FORM))
    .describe("Empty to delete the note"),
});
