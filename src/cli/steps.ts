import { getSecondsSince } from "./command";

/** What a start says to a person, in place of its log. */
export interface Steps {
  /** Says what begins. */
  begin(text: string): void;
  /** Says how far the latest step is, in place of what it said before. @param share from 0 to 1 */
  progress(share: number): void;
  /** Says that all is ready, and then more. */
  end(text: string): void;
}

/** Steps in lines of text. In a terminal, progress is shown on one line. */
export function createSteps(out: Pick<NodeJS.WriteStream, "write" | "isTTY"> = process.stdout): Steps {
  let step = "";
  return {
    begin(text) {
      step = text;
      out.write(`${text}\n`);
    },
    progress(share) {
      // Up one line and over its text.
      if (out.isTTY) out.write(`\x1b[1A\r\x1b[K${step} ${Math.floor(100 * share)} %\n`);
    },
    end: (text) => void out.write(`Ready in ${Math.round(getSecondsSince(0))} s\n${text}\n`),
  };
}

const silence = () => {};
export const NO_STEPS: Steps = { begin: silence, progress: silence, end: silence };
