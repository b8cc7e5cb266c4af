import { isDatabaseUnavailable } from "@/core/db/client";

/** A page that is being made. */
export interface PageUnderWay {
  /** Whether it has failed for want of the database. */
  isUnavailable(): boolean;
  end(): void;
}

/** The pages that a process is making, by the ids of their requests. */
export interface Pages {
  begin(requestId: string): PageUnderWay;
  /** Notes why a page failed; nothing for one that is not under way. */
  noteFailure(requestId: string | undefined, error: unknown): void;
}

export function createPages(): Pages {
  const underWay = new Map<string, { isUnavailable: boolean }>();
  return {
    begin(requestId) {
      const page = { isUnavailable: false };
      underWay.set(requestId, page);
      return {
        isUnavailable: () => page.isUnavailable,
        // Whoever asks may give two requests one id.
        end: () => void (underWay.get(requestId) === page && underWay.delete(requestId)),
      };
    },
    noteFailure(requestId, error) {
      const page = underWay.get(requestId ?? "");
      if (page && isDatabaseUnavailable(error)) page.isUnavailable = true;
    },
  };
}
