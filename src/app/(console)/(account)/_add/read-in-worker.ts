import type { ReadList } from "@/features/creators/list.rules";

/** Reads the channels of a text in a thread of its own, so that the page stays responsive. @param signal ends the reading */
export function readInWorker(text: string, signal?: AbortSignal): Promise<ReadList> {
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
