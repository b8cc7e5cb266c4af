import { z } from "zod";

/** Text without control characters and lone surrogates. */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;
export const PLAIN_TEXT_FORM = "must not contain control characters or halves of surrogate pairs";

/** A query parameter that is a whole number in plain digits: no sign, space, exponent or fraction. */
export function createIntegerSchema(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: "integer", minimum: min, maximum: max });
}

/** The form of a name that is the same for all cases and compositions. Upper and then lower case also joins ß and ss. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}
