import { randomUUID } from "node:crypto";
import { isDatabaseUnavailable } from "@/core/db/client";

/** By it a page that is being made is known within the process: whoever asks may give two requests one id. */
export const PAGE_HEADER = "x-page-under-way";

/** A page that is being made. */
export interface PageUnderWay {
  /** To stand in its request's {@link PAGE_HEADER}. */
  id: string;
  /** Whether it has failed for want of the database. */
  isUnavailable(): boolean;
  end(): void;
}

/** The pages that a process is making. */
export interface Pages {
  begin(): PageUnderWay;
  /** Notes why a page failed; nothing for one that is not under way. */
  noteFailure(id: string | undefined, error: unknown): void;
}

export function createPages(): Pages {
  const underWay = new Map<string, { isUnavailable: boolean }>();
  return {
    begin() {
      const id = randomUUID();
      const page = { isUnavailable: false };
      underWay.set(id, page);
      return { id, isUnavailable: () => page.isUnavailable, end: () => void underWay.delete(id) };
    },
    noteFailure(id, error) {
      const page = underWay.get(id ?? "");
      if (page && isDatabaseUnavailable(error)) page.isUnavailable = true;
    },
  };
}
