/** Text without control characters and lone surrogates. */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;
export const PLAIN_TEXT_FORM = "must not contain control characters or halves of surrogate pairs";
