/** A search as typed and as in the URL. */
export type Search = {
  niche: string;
  min: string;
  max: string;
  limit: string;
};

export const EMPTY_SEARCH: Search = { niche: "", min: "", max: "", limit: "20" };

export const LIMITS = ["10", "20", "50"];

const LONGEST_NICHE = 100;
const WHOLE_NUMBER = "Must be a whole number, such as 10,000";

/** Errors of a search by field, found before it uses a request. */
export function searchProblems({ niche, min, max }: Search): Partial<Record<keyof Search, string>> {
  const [least, most] = [count(min), count(max)];
  if (niche.trim() === "") return { niche: "Enter a niche, such as gaming" };
  if (niche.trim().length > LONGEST_NICHE) return { niche: `Must have at most ${LONGEST_NICHE} characters` };
  if (!isWhole(least)) return { min: WHOLE_NUMBER };
  if (!isWhole(most)) return { max: WHOLE_NUMBER };
  if (least && most && Number(least) > Number(most)) return { min: "Must not exceed the maximum" };
  return {};
}

/** A search as API input. */
export function asQuery({ niche, min, max, limit }: Search) {
  const [least, most] = [count(min), count(max)];
  return {
    niche,
    limit: LIMITS.includes(limit) ? limit : EMPTY_SEARCH.limit,
    ...(least && { min_subscribers: least }),
    ...(most && { max_subscribers: most }),
  };
}

const FIELDS = new Map<string, keyof Search>([
  ["niche", "niche"],
  ["min_subscribers", "min"],
  ["max_subscribers", "max"],
]);

/** The server's issues by form field. */
export function problemFields(
  issues: readonly { field: string; message: string }[],
): Partial<Record<keyof Search, string>> {
  return Object.fromEntries(
    issues.flatMap(({ field, message }) => {
      const name = FIELDS.get(field);
      return name ? [[name, message]] : [];
    }),
  );
}

/** Accepts 10,000 and 10 000. */
function count(typed: string): string {
  return typed.replace(/[\s,]/g, "");
}

function isWhole(text: string): boolean {
  return /^\d{0,9}$/.test(text);
}
