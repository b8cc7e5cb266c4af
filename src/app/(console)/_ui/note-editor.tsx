import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { formatCount } from "@/core/format";
import { MAX_NOTE_LENGTH } from "@/features/lists/rules";
import type { Note } from "@/features/lists/service";
import { toFailure } from "../_client/failure";
import { trpc } from "../_client/trpc";
import styles from "./note-editor.module.css";
import { QueryState } from "./query-state";
import { Distance } from "./times";

/** From here on the characters left are shown. */
const NEARLY_FULL = MAX_NOTE_LENGTH - 200;
/** Milliseconds after the last key press. */
const SAVE_AFTER = 800;

interface NoteEditorProps {
  channelId: string;
  /** Whether to begin in the field. */
  hasFocus?: boolean;
}

/** The key's own note on a creator. It saves itself after a pause, on leaving the field and on leaving the page. */
export function NoteEditor({ channelId, hasFocus }: NoteEditorProps) {
  const note = trpc.notes.get.useQuery({ channel_id: channelId });
  return (
    <QueryState query={note} skeleton={<Skeleton height={120} />}>
      {(saved) => <NoteField channelId={channelId} saved={saved} hasFocus={hasFocus} />}
    </QueryState>
  );
}

function NoteField({ channelId, saved, hasFocus }: NoteEditorProps & { saved: Note }) {
  const utils = trpc.useUtils();
  const [typed, setTyped] = useState(saved.note);
  const save = trpc.notes.save.useMutation({
    // One after another, so that the last text wins.
    scope: { id: `note ${channelId}` },
    onSuccess: (stored) => utils.notes.get.setData({ channel_id: channelId }, stored),
  });
  const store = (note: string) => save.mutate({ channel_id: channelId, note });
  const storeSoon = useDebouncedCallback(store, { delay: SAVE_AFTER, flushOnUnmount: true });
  return (
    <div>
      <textarea
        className={styles.note}
        aria-label="Note"
        placeholder="Why you track this creator, who to ask, what to check next"
        rows={4}
        dir="auto"
        ref={hasFocus ? focusOnce : undefined}
        maxLength={MAX_NOTE_LENGTH}
        value={typed}
        aria-invalid={save.isError}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          storeSoon(value);
        }}
        onBlur={() => storeSoon.flush()}
      />
      <Group justify="space-between" mt={4} mih={30}>
        <Text component="div" size="xs" c={save.isError ? "var(--danger)" : "dimmed"} role="status">
          {save.isError ? (
            `Not saved. ${toFailure(save.error).message}`
          ) : (
            <State note={saved} isChanged={typed.trim() !== saved.note} />
          )}
        </Text>
        {typed.length > NEARLY_FULL && (
          <Text size="xs" c="dimmed">
            {formatCount(MAX_NOTE_LENGTH - typed.length)} characters left
          </Text>
        )}
        {save.isError && (
          <Button variant="default" size="xs" onClick={() => store(typed)}>
            Save again
          </Button>
        )}
      </Group>
    </div>
  );
}

function State({ note, isChanged }: { note: Note; isChanged: boolean }) {
  if (isChanged) return "Saving…";
  if (note.saved_at === null) return "Saves itself. Only this key sees it";
  return (
    <>
      Saved <Distance at={note.saved_at} />
    </>
  );
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  field?.focus();
}
