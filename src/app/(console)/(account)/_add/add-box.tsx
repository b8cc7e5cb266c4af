"use client";

import { Button, InputBase } from "@mantine/core";
import { IconFileUpload, IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { type DragEvent, type FormEvent, type KeyboardEvent, useMemo, useState } from "react";
import { parseInput } from "@/features/creators/references.rules";
import styles from "./add.module.css";
import { useInitialText } from "./initial-text";
import type { ListSource } from "./read-list";

/** Loaded with the first channel. */
const AddPanel = dynamic(() => import("./add-panel").then(({ AddPanel }) => AddPanel), { ssr: false });

/** The id of the box's field. */
export const ADD_BOX = "add";

const MAX_ROWS = 5;

interface AddBoxProps {
  text: string;
  onType: (text: string) => void;
  onNiche: (niche: string) => void;
  /** Whether a niche is being searched. */
  isBusy?: boolean;
  problem?: string | null;
}

/** One box for a niche to search, and for channels to track: a handle, URL or id, or lists of them as text or files. */
export function AddBox({ text, onType, onNiche, isBusy = false, problem }: AddBoxProps) {
  const recognised = useMemo(() => parseInput(text), [text]);
  const [previewText, setPreviewText] = useState<string | null>(null);
  const [isPreviewing, setIsPreviewing] = useState(false);
  useInitialText({ onType, onNiche, preview: setPreviewText });
  const [files, setFiles] = useState<readonly ListSource[]>([]);
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const isList = recognised.kind === "channels";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isList) setPreviewText(text);
    else if (!isBusy) onNiche(recognised.niche);
  };
  const readFiles = async (chosen: FileList | null) => {
    const { readListFile } = await import("./read-list");
    const read = await Promise.all([...(chosen ?? [])].map(readListFile));
    setFileProblem(read.flatMap((each) => ("problem" in each ? [each.problem] : [])).join(". ") || null);
    setFiles((known) => [...known, ...read.filter((each) => "text" in each)]);
  };
  return (
    <>
      <search>
        <form className={styles.form} onSubmit={submit} noValidate {...getDropProps(readFiles)}>
          <InputBase
            component="textarea"
            multiline
            id={ADD_BOX}
            className={styles.field}
            size="md"
            aria-label="Niche or channels"
            placeholder="Niche, @handle or URL"
            inputWrapperOrder={["input", "error"]}
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            rows={Math.min(MAX_ROWS, text.split("\n").length)}
            leftSection={<IconSearch size={18} aria-hidden />}
            rightSection={<FileChoice onFiles={readFiles} />}
            rightSectionPointerEvents="all"
            value={text}
            error={fileProblem ?? problem}
            onChange={({ currentTarget: { value } }) => onType(value)}
            onKeyDown={submitOnEnter}
          />
          <Button className={styles.submit} type="submit" size="md" loading={isBusy || isPreviewing}>
            {isList ? "Preview" : "Search"}
          </Button>
        </form>
      </search>
      {isList && (
        <AddPanel
          source={{ id: ADD_BOX, title: null, text }}
          previewText={previewText}
          onPreviewStart={() => setPreviewText(null)}
          onBusy={setIsPreviewing}
          onClose={() => onType("")}
        />
      )}
      {files.map((file) => (
        <AddPanel
          key={file.id}
          source={file}
          previewText={file.text}
          onClose={() => setFiles((known) => known.filter((each) => each !== file))}
        />
      ))}
    </>
  );
}

function FileChoice({ onFiles }: { onFiles: (files: FileList | null) => Promise<void> }) {
  return (
    <label className={styles.file} title="Choose files with channels">
      <IconFileUpload size={18} aria-hidden />
      <span className="visually-hidden">Choose files with channels: CSV, text, OPML, JSON or HTML</span>
      <input
        type="file"
        className="visually-hidden"
        multiple
        onChange={async ({ currentTarget }) => {
          await onFiles(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

/** Enter submits, Shift+Enter starts a line. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Reads dropped files. The browser inserts dropped text itself. */
function getDropProps(readFiles: (files: FileList) => void) {
  const onFiles = (work: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    work(event);
  };
  return {
    onDragOver: onFiles(() => {}),
    onDrop: onFiles(({ dataTransfer }) => readFiles(dataTransfer.files)),
  };
}
