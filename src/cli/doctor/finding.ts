/** What the doctor found of one part. A note is no fault, but worth a look. */
export interface Finding {
  part: string;
  /** What the part is made of here. */
  what: string;
  state: "ok" | "note" | "wrong";
  /** What was found, and for a fault what to do, by the names of variables and never with their values. */
  says: string;
}

/** Findings of one part. */
export function findings(part: string, what: string) {
  const found = (state: Finding["state"]) => (says: string) => ({ part, what, state, says }) as const;
  return { ok: found("ok"), note: found("note"), wrong: found("wrong") };
}
