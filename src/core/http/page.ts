import { z } from "zod";

export const MAX_OFFSET = 2_147_483_647;

/** A query parameter that is a whole number in plain digits: no sign, space, exponent or fraction. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: "integer", minimum: min, maximum: max });
}

export const PageQuery = z.object({
  offset: wholeNumber(0, MAX_OFFSET).default(0).describe("Number of results to skip"),
  limit: wholeNumber(1, 100).default(20).describe("Maximum results"),
});
export type PageQuery = z.output<typeof PageQuery>;

export const PageInput = z.object({
  offset: z.int().min(0).max(MAX_OFFSET).default(0),
  limit: z.int().min(1).max(100).default(20),
});

export const Pagination = z
  .object({
    total: z.int().min(0).describe("Total number of results"),
    offset: z.int().min(0).describe("Number skipped"),
    limit: z.int().min(1).max(100).describe("Page size applied"),
    has_more: z.boolean().describe("True when more results exist beyond this page"),
  })
  .meta({ id: "Pagination" });
export type Pagination = z.output<typeof Pagination>;

export function pagination({ offset, limit }: PageQuery, total: number): Pagination {
  return { total, offset, limit, has_more: offset + limit < total };
}
