import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import Negotiator from "negotiator";
import { markEtag } from "./etag";
import type { Reply } from "./reply";

/** Shorter bodies fit into one packet anyway. */
const MIN_LENGTH = 1024;
/** As fast as gzip, and smaller. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 4, [zlib.BROTLI_PARAM_LGWIN]: 18 } };

const compressBrotli = promisify(brotliCompress);
/** The preferred one first. */
const CODINGS = new Map<string, (body: string) => Promise<Buffer>>([
  ["br", (body) => compressBrotli(body, BROTLI)],
  ["gzip", promisify(gzip)],
]);

/** A reply compressed by what its client accepts. Each form has an entity tag of its own. */
export async function compressReply(reply: Reply, request: IncomingMessage): Promise<Reply | CompressedReply> {
  const { headers, body } = reply;
  if (body === null || body.length < MIN_LENGTH) return reply;
  const Vary = [headers.Vary, "Accept-Encoding"].filter(Boolean).join(", ");
  const accepted = new Negotiator(request).encodings([...CODINGS.keys()]);
  const [coding, compress] = [...CODINGS].find(([name]) => accepted.includes(name)) ?? [];
  if (!compress || !coding) return { ...reply, headers: { ...headers, Vary } };
  const marked = headers.ETag && { ETag: markEtag(headers.ETag, coding) };
  return {
    ...reply,
    headers: { ...headers, ...marked, Vary, "Content-Encoding": coding },
    body: await compress(body),
  };
}

type CompressedReply = Omit<Reply, "body"> & { body: Buffer };
