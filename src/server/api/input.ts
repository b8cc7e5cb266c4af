import { z } from "zod";
import { AppError, describeIssue, type ErrorCode, type FieldIssue } from "@/core/errors";
import type { RequestContext } from "./request";

export const MAX_BODY_BYTES = 16 * 1024;
/** Bytes over the limit that are read and dropped, because many clients read no answer before they have sent the body. */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;

/** Parses the segments of a path, all of which are channels. @throws AppError `not_found` for a text that is none */
export function parseParams(schema: z.ZodObject, segments: object): unknown {
  const parsed = schema.safeParse(segments);
  if (!parsed.success) throw new AppError("not_found", "Not a channel id, @handle or channel URL");
  return parsed.data;
}

/** The known parameters of a query. @throws AppError `invalid_request` that names each wrong one */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, search: URLSearchParams): z.output<Schema> {
  const names = Object.keys(schema.shape);
  const repeated = names.filter((name) => search.getAll(name).length > 1);
  if (repeated.length > 0)
    throw createInvalidError(repeated.map((field) => ({ field, message: "must be given only once" })));
  return parseFields(schema, Object.fromEntries(names.map((name) => [name, search.get(name) ?? undefined])));
}

/** A parameter of every endpoint that needs a key. */
const StrictQuery = z.object({
  strict: z
    .enum(["true", "false"], "must be true or false")
    .transform((value) => value === "true")
    .default(false),
});
const MAX_NAMED = 20;

/**
 * Names the parameters of a request that its endpoint does not know, in a header.
 * @throws AppError `invalid_request` that names them with `strict=true`
 */
export function nameIgnoredParameters({ url, headers }: RequestContext, known: readonly string[]): void {
  if (url.searchParams.size === 0) return;
  const isKnown = (name: string) => name === "strict" || known.includes(name);
  const ignored = [...new Set(url.searchParams.keys())].filter((name) => !isKnown(name)).slice(0, MAX_NAMED);
  if (ignored.length > 0)
    headers["X-Ignored-Parameters"] = ignored.map((name) => encodeURIComponent(name).slice(0, 100)).join(", ");
  const { strict } = parseQuery(StrictQuery, url.searchParams);
  const message = `is not a parameter of this endpoint${known.length > 0 ? `. Use ${known.join(", ")}.` : ", which has none"}`;
  if (strict && ignored.length > 0) throw createInvalidError(ignored.map((field) => ({ field, message })));
}

export type ReadBody = () => string;

/** Whether a request may have a body that is read. Hono's adapter makes a whole Request when `body` is touched. */
export function hasBody({ method }: Request, maxBytes: number): boolean {
  return maxBytes > 0 && method !== "GET" && method !== "HEAD";
}

/** A body as far as it was read. */
interface Body {
  /** Throws when it was too large. */
  bytes(): Buffer;
  /** Whether the rest was left unread. */
  isCut: boolean;
}

/** Reads a body from a stream that stays open when the rest is left unread. @throws AppError when it is incomplete */
export async function readBody(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.byteLength;
      if (length > maxBytes + MAX_DISCARDED_BYTES) break;
      if (length <= maxBytes) chunks.push(chunk);
    }
  } catch {
    throw createBodyError("must be complete");
  }
  return {
    isCut: length > maxBytes + MAX_DISCARDED_BYTES,
    bytes: () => {
      if (length <= maxBytes) return Buffer.concat(chunks);
      throw new AppError("payload_too_large", `The body must not exceed ${maxBytes / 1024} KiB`);
    },
  };
}

/** The text of a body. @throws AppError when it was too large or is not UTF-8 */
export function decodeBody(body: Body): string {
  const bytes = body.bytes();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw createBodyError("must be UTF-8 text");
  }
}

/** @throws AppError `unsupported_media_type`, `payload_too_large`, or `invalid_request` that names each wrong field */
export function parseBody(schema: z.ZodObject, headers: Headers, body: ReadBody): unknown {
  return parseFields(schema, readJsonObject(headers, body));
}

/** @throws AppError `unsupported_media_type`, `payload_too_large` or `invalid_request` */
export function readJsonObject(headers: Headers, body: ReadBody): object {
  requireJsonType(headers);
  const json = body();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw createBodyError("must be valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw createBodyError("must be a JSON object");
  return value;
}

const JSON_TYPE = /^application\/json\s*(?:$|;(?:.*;)?\s*charset\s*=\s*"?([^\s;"]*)|;)/i;

export function requireJsonType(headers: Headers): void {
  const [, charset = "utf-8"] = JSON_TYPE.exec(headers.get("content-type") ?? "") ?? [null, ""];
  if (!/^utf-?8$/i.test(charset))
    throw new AppError("unsupported_media_type", "Content-Type must be application/json in UTF-8");
}

/** @throws AppError `invalid_request` that names each wrong field */
export function parseFields<Schema extends z.ZodObject>(schema: Schema, value: object): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw createFieldsError(parsed.error, value);
}

/** The error that names each field which a schema refuses, and what was given. */
export function createFieldsError({ issues }: z.ZodError, value: object): AppError {
  const found = issues.map(({ path, message }) => ({ field: path.join("."), message, given: getAt(value, path) }));
  const sentence = found.map(describeIssue).join("; ");
  return new AppError(getIssueCode(issues), sentence, { issues: found.map(({ given, ...issue }) => issue) });
}

/** The code that a rule gives its issue, when it is the only one. */
function getIssueCode([issue, ...others]: z.core.$ZodIssue[]): ErrorCode {
  const code = issue?.code === "custom" && others.length === 0 ? issue.params?.code : undefined;
  return code === "not_a_channel" || code === "guess" ? code : "invalid_request";
}

function getAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (inner, name) => (typeof inner === "object" && inner ? Reflect.get(inner, name) : undefined),
    value,
  );
}

function createInvalidError(issues: FieldIssue[], code: ErrorCode = "invalid_request"): AppError {
  const sentence = issues.map(({ field, message }) => `${field} ${message}`).join("; ");
  return new AppError(code, sentence, { issues });
}

function createBodyError(message: string): AppError {
  return createInvalidError([{ field: "body", message }], "invalid_body");
}
