import { z } from "zod";
import { PLAIN_TEXT_FORM } from "@/core/fields";
import { formatCount } from "@/core/format";
import { ChannelId } from "@/features/creators/schema";
import { MAX_NOTE_LENGTH } from "./rules";

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

export interface Note {
  /** Empty without a note. */
  note: string;
  saved_at: string | null;
}
