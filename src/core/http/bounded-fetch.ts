import {
  Agent,
  type AgentOptions,
  request as askPlainly,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { request as askSecurely, Agent as SecureAgent } from "node:https";
import { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { withoutSecrets } from "@/core/log/secrets";

const HIGHEST_STATUS = 599;
/** Statuses whose answers have no body, whatever is sent. */
const WITHOUT_BODY = new Set([204, 205, 304]);
/** What is asked for unless a caller asks for something else. */
const USUAL_HEADERS = { accept: "*/*", "accept-encoding": "gzip", "user-agent": "creator-growth" };
/** Headers that prove who asks. */
const PROOFS = ["authorization", "x-goog-api-key"];

/** A connection for each call: what a server says once too often is then no answer to the next. */
const SINGLE = agents({ keepAlive: false });
/**
 * Connections that are used again, for a server that is asked all the time. One that lies idle is left before the five
 * seconds are over after which many servers end it: a call that meets its end has no answer.
 */
export const KEPT = agents({ keepAlive: true, timeout: 3000 });

const unzip = promisify(gunzip);

interface FetchOptions {
  /** One connection for each call, unless they are `KEPT`. */
  connections?: typeof KEPT;
  /** Begins the wait for an answer; `AbortSignal.timeout` unless given. */
  timeout?: (ms: number) => AbortSignal;
  /** What else no answer may repeat, as it is part of addresses. */
  secrets?: readonly string[];
  /** Called once the connection stands, right before anything is sent; nothing is where it throws, which is thrown on. */
  beforeSending?: () => void;
}

/**
 * A `fetch` for servers that are not ours: asks addresses, with a text or nothing for a body, and takes redirects for
 * answers. What was sent to prove who asks is in no answer, so that it gets into no log. Made of Node's plain client, as
 * undici, Node's own or the newest, ends the process at some answers: where six content codings are named, or one ends
 * its connection while it is being unzipped.
 * @param timeoutMs within which an answer must have come whole; it, or reading it, fails with a TimeoutError
 * @param longestBytes of a body, zipped or not; reading a longer one fails
 */
export function boundedFetch(
  timeoutMs: number,
  longestBytes: number,
  {
    connections = SINGLE,
    timeout: startTimeout = AbortSignal.timeout,
    secrets = [],
    beforeSending = () => {},
  }: FetchOptions = {},
): typeof fetch {
  return async (address, { method = "GET", headers, body, signal: wanted } = {}) => {
    if (address instanceof Request || (body && typeof body !== "string"))
      throw new TypeError("An address is asked, with a text or nothing for a body");
    const timeout = startTimeout(timeoutMs);
    const signal = wanted ? AbortSignal.any([wanted, timeout]) : timeout;
    const over = abortionOf(signal);
    const url = new URL(address);
    const given = Object.fromEntries(new Headers(headers));
    const options = { method, headers: { ...USUAL_HEADERS, ...given }, signal };
    const asked =
      url.protocol === "https:"
        ? askSecurely(url, { ...options, agent: connections.secure })
        : askPlainly(url, { ...options, agent: connections.plain });
    const head = headOf(asked);
    await Promise.race([connectionOf(asked), head, over]);
    try {
      beforeSending();
    } catch (error) {
      asked.destroy();
      throw error;
    }
    asked.end(body ?? undefined);
    const answer = await Promise.race([head, over]);
    const proofs = PROOFS.map((name) => given[name]?.replace(/^Bearer /, "") ?? "");
    const whole = readBody(answer, longestBytes).then((bytes) =>
      withoutSecrets([...proofs, ...secrets], bytes),
    );
    const read = Promise.race([whole, over]);
    read.catch(() => asked.destroy());
    return responseOf(answer, read);
  };
}

/** Milliseconds by which a timer is late where the process was halted. */
const HALT_MS = 100;

/**
 * A timeout that begins once more where this process was halted, and could read no answer. Not for what is handed over and
 * may be wanted no more by then.
 */
export function patientTimeout(ms: number): AbortSignal {
  const timeout = new AbortController();
  const begunAt = performance.now();
  const abort = () => timeout.abort(new DOMException(`no whole answer within ${ms} ms`, "TimeoutError"));
  const isHalted = () => performance.now() - begunAt > ms + HALT_MS;
  setTimeout(() => (isHalted() ? setTimeout(abort, ms).unref() : abort()), ms).unref();
  return timeout.signal;
}

function agents(options: AgentOptions): { plain: Agent; secure: SecureAgent } {
  return { plain: new Agent(options), secure: new SecureAgent(options) };
}

/** The signal's word counts, however the client takes it. */
function abortionOf(signal: AbortSignal): Promise<never> {
  const over = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // Of an answer that has been read by then nobody waits for it.
  over.catch(() => {});
  return over;
}

/** The answer as others take it: what keeps its body from being read is told to whoever reads it. */
function responseOf(
  { statusCode = 0, headersDistinct }: IncomingMessage,
  read: Promise<Uint8Array>,
): Response {
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  // Without its words, and as a status that there is: a Response takes neither every letter nor every number.
  const status = Math.min(statusCode, HIGHEST_STATUS);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const bytes = await read;
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });
}

/** Resolves once what is written is on its way: until then it would wait in this process, for as long as that takes. */
function connectionOf(asked: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    asked.once("socket", (socket) => {
      if (asked.reusedSocket) resolve();
      else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", resolve);
    });
  });
}

function headOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // It may fail at any time, also after its answer.
    asked.on("error", (error) => reject(new TypeError("there was no answer", { cause: error })));
    asked.once("response", (answer) => resolve(answer.on("error", () => {})));
    asked.once("close", () => reject(new TypeError("there was no answer")));
  });
}

async function readBody(answer: IncomingMessage, longestBytes: number): Promise<Buffer> {
  const tooLong = () => new Error(`the answer is longer than ${longestBytes} bytes`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > longestBytes) break;
    }
  } catch (error) {
    throw new TypeError("the answer broke off", { cause: error });
  }
  if (bytes > longestBytes) throw tooLong();
  const coding = answer.headers["content-encoding"] ?? "identity";
  const read = Buffer.concat(chunks);
  if (bytes === 0 || /^identity$/i.test(coding)) return read;
  if (!/^(x-)?gzip$/i.test(coding)) throw new Error("the answer is in a coding that was not asked for");
  return unzip(read, { maxOutputLength: longestBytes }).catch((error) => {
    throw error.code === "ERR_BUFFER_TOO_LARGE"
      ? tooLong()
      : new TypeError("the answer cannot be unzipped", { cause: error });
  });
}

/** The code of a network fault, or the name of another, without the address that its message may hold. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
