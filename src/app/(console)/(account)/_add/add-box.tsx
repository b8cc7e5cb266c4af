"use client";

import { Button, InputBase } from "@mantine/core";
import { IconFileUpload, IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { type DragEvent, type FormEvent, type KeyboardEvent, useMemo, useState } from "react";
import { parseInput } from "@/features/creators/list.rules";
import styles from "./add.module.css";
import { useInitialText } from "./initial-text";

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

/** One box for a niche to search, and for channels to track: a handle, URL or id, or a list of them. */
export function AddBox({ text, onType, onNiche, isBusy = false, problem }: AddBoxProps) {
  const recognised = useMemo(() => parseInput(text), [text]);
  const [previewText, setPreviewText] = useState<string | null>(null);
  const [isPreviewing, setIsPreviewing] = useState(false);
  useInitialText({ onType, onNiche, preview: setPreviewText });
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const isList = recognised.kind === "channels";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isList) setPreviewText(text);
    else if (!isBusy) onNiche(recognised.niche);
  };
  const readFile = async (file: File | null) => {
    if (!file) return;
    const { readList } = await import("./read-list");
    const read = await readList(file);
    setFileProblem("problem" in read ? read.problem : null);
    if ("text" in read) onType([text.trim(), read.text].filter(Boolean).join("\n"));
  };
  return (
    <>
      <search>
        <form className={styles.form} onSubmit={submit} noValidate {...getDropProps(readFile)}>
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
            rightSection={<FileChoice take={readFile} />}
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
          text={text}
          onType={onType}
          list={recognised}
          previewText={previewText}
          onPreviewStart={() => setPreviewText(null)}
          onBusy={setIsPreviewing}
        />
      )}
    </>
  );
}

function FileChoice({ take: onFile }: { take: (file: File | null) => void }) {
  return (
    <label className={styles.file} title="Choose a CSV or text file">
      <IconFileUpload size={18} aria-hidden />
      <span className="visually-hidden">Choose a CSV or text file of channels</span>
      <input
        type="file"
        className="visually-hidden"
        accept=".csv,.tsv,.txt,text/*"
        onChange={({ currentTarget }) => {
          void onFile(currentTarget.files?.item(0) ?? null);
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
function getDropProps(onFile: (file: File | null) => void) {
  const onFiles = (work: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    work(event);
  };
  return {
    onDragOver: onFiles(() => {}),
    onDrop: onFiles(({ dataTransfer }) => onFile(dataTransfer.files.item(0))),
  };
}
