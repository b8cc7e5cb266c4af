import { z } from "zod";
import { PLAIN_TEXT } from "@/core/fields";
import { NameInput } from "./schema";

const MAX_QUERY_LENGTH = 1000;
const QUERY_FORM = `must be the query of a URL of at most ${MAX_QUERY_LENGTH} characters`;

/** Parsed and written again, so that only parameters are stored. The page number is dropped. */
const ViewQuery = z
  .string(QUERY_FORM)
  .max(MAX_QUERY_LENGTH, QUERY_FORM)
  .regex(PLAIN_TEXT, QUERY_FORM)
  .transform((text) => {
    const parameters = new URLSearchParams(text);
    parameters.delete("page");
    return parameters.toString();
  })
  .pipe(z.string().max(MAX_QUERY_LENGTH, QUERY_FORM))
  .describe("The query of the overview's URL: search, filters, list and order");

export interface SavedView {
  id: string;
  name: string;
  query: string;
}

export const NewView = z.object({ name: NameInput, query: ViewQuery });
export const ViewParams = z.object({ id: z.uuid().describe("Identifier of the view") });
