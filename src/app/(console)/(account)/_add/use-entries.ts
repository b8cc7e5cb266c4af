import { startTransition, useCallback, useEffect, useState } from "react";
import type { ListEntry, ReadList } from "@/features/creators/list.rules";

type Read = ReadList & { text: string | null; error?: Error };

/** The entries of a text, and a way to correct those that name no channel. */
export function useEntries(text: string) {
  const [read, setRead] = useState<Read>({ text: null, entries: [], columns: {} });
  useEffect(() => {
    const stop = new AbortController();
    readInWorker(text, stop.signal).then(
      (list) => startTransition(() => setRead({ text, ...list })),
      (error) => setRead({ text, entries: [], columns: {}, error }),
    );
    return () => stop.abort();
  }, [text]);
  /** Replaces an entry by what another text gives. */
  const correct = useCallback(async (entry: ListEntry, corrected: string): Promise<ListEntry[]> => {
    const { line } = entry;
    const found = (await readInWorker(corrected)).entries.map((each) => ({ ...each, line }));
    const next: ListEntry[] = found.length > 0 ? found : [{ line, text: entry.text, skipped: true }];
    const replace = (each: ListEntry) => (each === entry ? next : [each]);
    setRead((known) => ({ ...known, entries: known.entries.flatMap(replace) }));
    return next;
  }, []);
  return { read, correct };
}

/** Reads the channels of a text in a thread of its own, so that the page stays responsive. @param signal ends the reading */
function readInWorker(text: string, signal?: AbortSignal): Promise<ReadList> {
  const worker = new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" });
  signal?.addEventListener("abort", () => worker.terminate());
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ReadList>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(text);
  });
}
