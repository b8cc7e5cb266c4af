/** Text without control characters and without half surrogate pairs, which no database can store. */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;

/** What is wrong with other text. */
export const PLAIN_TEXT_FORM = "must not contain control characters or halves of surrogate pairs";
