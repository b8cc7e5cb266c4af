"use client";

import { Card } from "../../../_ui/card";
import { NoteEditor } from "../../../_ui/note-editor";

/** The key's own note on a creator. */
export function NoteCard({ channelId }: { channelId: string }) {
  return (
    <Card title="Note" aside="Only this key sees it">
      <NoteEditor channelId={channelId} />
    </Card>
  );
}
