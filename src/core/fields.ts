import { z } from "zod";

/** Text without control characters, lone surrogates, and what bytes that are not UTF-8 become. */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}\ufffd]*$/u;
export const PLAIN_TEXT_FORM = "must be plain text without control characters";

/** A query parameter that is a whole number in plain digits: no sign, space, exponent or fraction. */
export function createIntegerSchema(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${min} to ${max}`)
    .meta({ type: "integer", minimum: min, maximum: max });
}

/** A query parameter that is one of some words. */
export function createChoiceSchema<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, `must be one of ${choices.join(", ")}`);
}

/** The form of a name that is the same for all cases and compositions. Upper and then lower case also joins ß and ss. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}
