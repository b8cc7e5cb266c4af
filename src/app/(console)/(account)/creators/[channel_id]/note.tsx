"use client";

import { Button, Group, Skeleton, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { formatCount } from "@/core/format";
import type { Note } from "@/features/lists/notes.schema";
import { MAX_NOTE_LENGTH } from "@/features/lists/rules";
import { toFailure } from "../../../_client/failure";
import { trpc } from "../../../_client/trpc";
import { Card } from "../../../_ui/card";
import { QueryState } from "../../../_ui/query-state";
import { Distance } from "../../../_ui/times";

/** From here on the characters left are shown. */
const NEARLY_FULL = MAX_NOTE_LENGTH - 200;

/** The key's own note on a creator. */
export function NoteCard({ channelId }: { channelId: string }) {
  const note = trpc.notes.get.useQuery({ channel_id: channelId });
  return (
    <Card title="Note" aside="Only this key sees it">
      <QueryState query={note} skeleton={<Skeleton height={132} />}>
        {(saved) => <NoteForm channelId={channelId} saved={saved} />}
      </QueryState>
    </Card>
  );
}

function NoteForm({ channelId, saved }: { channelId: string; saved: Note }) {
  const utils = trpc.useUtils();
  const [typed, setTyped] = useState(saved.note);
  const save = trpc.notes.save.useMutation({
    onSuccess: (stored) => utils.notes.get.setData({ channel_id: channelId }, stored),
  });
  const isChanged = typed.trim() !== saved.note;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged && !save.isPending) save.mutate({ channel_id: channelId, note: typed });
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        aria-label="Note"
        placeholder="Why you track this creator, who to ask, what to check next"
        rows={4}
        resize="vertical"
        dir="auto"
        maxLength={MAX_NOTE_LENGTH}
        value={typed}
        error={save.error ? toFailure(save.error).message : undefined}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <Group justify="space-between" mt="xs" mih={30}>
        <Text component="div" size="xs" c="dimmed" role="status">
          {isChanged && typed.length > NEARLY_FULL
            ? `${formatCount(MAX_NOTE_LENGTH - typed.length)} characters left`
            : isChanged
              ? "Not saved yet"
              : saved.saved_at && (
                  <>
                    Saved <Distance at={saved.saved_at} />
                  </>
                )}
        </Text>
        {isChanged && (
          <Button type="submit" size="xs" loading={save.isPending}>
            {typed.trim() === "" ? "Delete note" : "Save note"}
          </Button>
        )}
      </Group>
    </form>
  );
}
