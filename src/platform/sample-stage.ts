import type { SampleEvent } from "./sample-growth";

/** A jump that a demo shows: days from the day of the demo, and the number of its cause. */
type StagedJump = [at: number, factor: number, cause: number, event: Pick<SampleEvent, "afterglow" | "lead">];

const FLASH = { afterglow: 0, lead: -0.003 };
const VIRAL = { afterglow: 0.4, lead: 0.002 };
const LASTING = { afterglow: 1.1, lead: 0.01 };
const [SHORT, LONG, NONE, SEVERAL, STREAM] = [0, 1, 2, 3, 4];

/** By handle: the jumps of the demo's day, of the month before it and of the weeks after. */
const STAGE: Readonly<Record<string, readonly StagedJump[]>> = {
  "@kimchitramway": [[0, 1.61, SHORT, FLASH]],
  "@hammertimehildegunn": [[0, 1.17, LONG, LASTING]],
  "@eyelinerengineer": [[-2, 1.12, LONG, VIRAL]],
  "@quantumdoorbell": [[-5, 1.16, STREAM, LASTING]],
  "@indexfundfisherman": [
    [-9, 1.27, SHORT, FLASH],
    [1, 1.14, NONE, FLASH],
  ],
  "@borderlinebuses": [[-12, 1.13, LONG, LASTING]],
  "@curlpatternalmanac": [
    [-27, 1.14, LONG, VIRAL],
    [-14, 1.55, SHORT, FLASH],
  ],
  "@mapmakermbali": [
    [-17, 1.16, SEVERAL, LASTING],
    [3, 1.12, LONG, VIRAL],
  ],
  "@petridishpostcards": [[-20, 1.12, NONE, VIRAL]],
  "@synthshed9": [
    [-23, 1.21, LONG, LASTING],
    [6, 1.3, SHORT, FLASH],
  ],
  "@deskbodyrepair": [[-26, 1.34, NONE, FLASH]],
  "@terminalvelvet": [
    [-28, 1.12, STREAM, VIRAL],
    [10, 1.18, LONG, VIRAL],
  ],
};

/** The handles of the channels that a demo stages. */
export const STAGED_HANDLES: readonly string[] = Object.keys(STAGE);

/** The jumps of a demo's channels, by handle. @param day of the demo, in days since the start of all histories */
export function listStagedEvents(day: number): Map<string, SampleEvent[]> {
  return new Map(
    Object.entries(STAGE).map(([handle, jumps]) => [
      handle,
      jumps.map(([at, factor, cause, event]) => ({ day: day + at, factor, cause, ...event })),
    ]),
  );
}
