import type { z } from "zod";
import { AppError, type FieldIssue } from "@/core/errors";

/** The largest body of a request with a key. */
export const MAX_BODY_BYTES = 16 * 1024;
/**
 * So much of what is too large is read all the same: many a client reads no answer before it has sent everything, and
 * finds a closed connection in its place.
 */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;
const USUAL_BODY_BYTES = 1024;

/**
 * The path's parameters.
 * @throws AppError `not_found` when one has a form that no resource has
 */
export function parseParams(schema: z.ZodObject | undefined, segments: object): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(segments);
  if (!parsed.success) throw new AppError("not_found", "There is no such resource");
  return parsed.data;
}

/**
 * The query's known parameters; unknown ones are ignored.
 * @throws AppError `invalid_request` that names each wrong parameter
 */
export function parseQuery(schema: z.ZodObject | undefined, search: URLSearchParams): unknown {
  if (!schema) return undefined;
  const names = Object.keys(schema.shape);
  const repeated = names.filter((name) => search.getAll(name).length > 1);
  if (repeated.length > 0)
    throw invalid(repeated.map((field) => ({ field, message: "must be given only once" })));
  return parse(schema, Object.fromEntries(names.map((name) => [name, search.get(name) ?? undefined])));
}

/** A body that was read, or why it could not be. */
export type ReadBody = () => string;

export const NO_BODY: ReadBody = () => "";

/**
 * Reads a body before it is known whether it is wanted. What is wrong with it is thrown where it is asked for.
 * @param maxBytes of a body that is read at all
 * @throws AppError `invalid_request` at once when it does not come to its end: nothing half said is to be done
 */
export function readAhead(request: Request, maxBytes: number): Promise<ReadBody> | undefined {
  // No Request of these methods has one, and the light ones that requests come as turn into whole ones when asked.
  if (request.method === "GET" || request.method === "HEAD" || maxBytes === 0 || !request.body)
    return undefined;
  return readBytes(request, maxBytes).then((bytes) => () => asText(bytes, maxBytes));
}

/**
 * The JSON body.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, or `invalid_request` that names each wrong field
 */
export function parseBody(schema: z.ZodObject | undefined, { headers }: Request, text: ReadBody): unknown {
  if (!schema) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? ""))
    throw new AppError("unsupported_media_type", "The Content-Type header must be application/json");
  const json = text();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid([{ field: "body", message: "must be valid JSON" }]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid([{ field: "body", message: "must be a JSON object" }]);
  return parse(schema, value);
}

function parse(schema: z.ZodObject, value: object): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message })));
}

function invalid(issues: FieldIssue[]): AppError {
  const sentence = issues.map(({ field, message }) => `${field} ${message}`).join("; ");
  return new AppError("invalid_request", sentence, { issues });
}

/**
 * The body as text.
 * @param isWanted asked with each part of it: of one that is not nothing is kept
 * @throws AppError `payload_too_large` for more than that many bytes, `invalid_request` for other than UTF-8 or for one
 * that does not come to its end
 */
export async function readText(
  request: Request,
  maxBytes: number,
  isWanted: () => boolean = () => true,
): Promise<string> {
  return asText(await readBytes(request, maxBytes, isWanted), maxBytes);
}

/** The body's bytes; null when there are more. */
async function readBytes({ body }: Request, maxBytes: number, isWanted = () => true): Promise<Buffer | null> {
  // Put together at once: chunks of a byte each would take hundreds until the last has come.
  let kept: Buffer = Buffer.allocUnsafe(Math.min(maxBytes, USUAL_BODY_BYTES));
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes + MAX_DISCARDED_BYTES) break;
      if (!isWanted()) kept = Buffer.alloc(0);
      if (bytes > maxBytes || !isWanted()) continue;
      if (bytes > kept.length) kept = grown(kept, Math.min(maxBytes, Math.max(bytes, 2 * kept.length)));
      kept.set(chunk, bytes - chunk.byteLength);
    }
  } catch {
    throw invalid([{ field: "body", message: "must come to its end" }]);
  }
  return bytes > maxBytes || !isWanted() ? null : kept.subarray(0, bytes);
}

function grown(buffer: Buffer, bytes: number): Buffer {
  const larger = Buffer.allocUnsafe(bytes);
  larger.set(buffer);
  return larger;
}

function asText(bytes: Buffer | null, maxBytes: number): string {
  if (!bytes) throw tooLarge(maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid([{ field: "body", message: "must be UTF-8 text" }]);
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `The body must not be larger than ${maxBytes} bytes`);
}
