import { Button, InputBase } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFileUpload, IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { type DragEvent, type FormEvent, type KeyboardEvent, useCallback, useMemo, useState } from "react";
import { namesChannels } from "@/features/creators/references.rules";
import styles from "./add.module.css";
import type { PanelState } from "./add-panel";
import { useInitialText } from "./initial-text";
import type { ListSource } from "./read-list";

/** Loaded with the first channel. */
const AddPanel = dynamic(() => import("./add-panel").then(({ AddPanel }) => AddPanel), { ssr: false });

export const ADD_BOX = "add";

const MAX_ROWS = 5;
/** Milliseconds without a key after which a list is read again. */
const PAUSE = 150;

interface AddBoxProps {
  text: string;
  onType: (text: string) => void;
  onNiche: (niche: string) => void;
  isBusy?: boolean;
  problem?: string | null;
  placeholder?: string;
  /** What the button says for a text that names no channel. */
  action?: string;
  hint?: React.ReactNode;
}

/** One box for a niche to search, and for channels to track: a handle, URL or id, or lists of them as text or files. */
export function AddBox({ text, onType, onNiche, isBusy = false, problem, hint, ...words }: AddBoxProps) {
  const isList = useMemo(() => namesChannels(text), [text]);
  const [settled] = useDebouncedValue(text, PAUSE);
  const source = useMemo(() => ({ id: ADD_BOX, title: null, text: settled }), [settled]);
  const [previewText, setPreviewText] = useState<string | null>(null);
  useInitialText({ onType, onNiche, preview: setPreviewText });
  const { files, problem: fileProblem, read: readFiles, remove } = useFiles();
  const [states, setStates] = useState<Readonly<Record<string, PanelState>>>({});
  const onState = useCallback((id: string, state: PanelState) => setStates((all) => ({ ...all, [id]: state })), []);
  const lists: ListSource[] = isList ? [source, ...files] : [...files];
  /** The panel with the page's primary button; without one it is the box's. */
  const primary = lists.find(({ id }) => states[id]?.hasAction)?.id;
  const endPreview = useCallback(() => setPreviewText(null), []);
  const close = useCallback((id: string) => (id === ADD_BOX ? onType("") : remove(id)), [onType, remove]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isList) setPreviewText(text);
    else if (!isBusy) onNiche(text.trim());
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
            placeholder={words.placeholder ?? "Niche, @handle or URL"}
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
          <span className={styles.hint}>{hint}</span>
          <Button
            className={styles.submit}
            type="submit"
            size="sm"
            variant={primary === undefined ? "filled" : "default"}
            loading={isBusy || states[ADD_BOX]?.isPreviewing}
          >
            {isList ? "Preview" : (words.action ?? "Search")}
          </Button>
        </form>
      </search>
      {lists.map((list) => (
        <AddPanel
          key={list.id}
          source={list}
          previewText={list.title === null ? previewText : list.text}
          isPrimary={primary === list.id}
          onPreviewStart={list.title === null ? endPreview : undefined}
          onState={onState}
          onClose={close}
        />
      ))}
    </>
  );
}

/** The lists of chosen and dropped files, each of its own. */
function useFiles() {
  const [files, setFiles] = useState<readonly ListSource[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (chosen: FileList | null) => {
    const { readListFile } = await import("./read-list");
    const results = await Promise.all([...(chosen ?? [])].map(readListFile));
    setProblem(results.flatMap((each) => ("problem" in each ? [each.problem] : [])).join(". ") || null);
    setFiles((known) => [...known, ...results.filter((each) => "text" in each)]);
  };
  const remove = useCallback((id: string) => setFiles((known) => known.filter((file) => file.id !== id)), []);
  return { files, problem, read, remove };
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
