import { Redis, type Requester, type UpstashRequest } from "@upstash/redis";
import { z } from "zod";
import { boundedFetch, KEPT, patientTimeout } from "@/core/http/bounded-fetch";
import { sleep } from "@/core/time";

/** A count, or what kept a command from being carried out, of each command; more would take the process long to read. */
const LONGEST_ANSWER_BYTES = 4096;
const LONGEST_RESULT_BYTES = 256;

const Result = z.object({ result: z.unknown().optional(), error: z.string().nullish() });
const Answer = z.union([Result, z.array(Result)]);

export interface RedisClientSettings {
  url: string;
  token: string;
  /** Milliseconds after which a call is given up, with all its tries. */
  giveUpMs: number;
  /** Milliseconds before each further try where its connection failed. */
  pauses: readonly number[];
}

/** Upstash's client, which sends commands of one moment in one call, by way of a requester that reads no more than it needs. */
export class RedisClient extends Redis {
  constructor(settings: RedisClientSettings) {
    super(createRequester(settings));
    // biome-ignore lint/correctness/noConstructorReturn: as the client does it when it makes its own requester
    return this.autoPipeline() as this;
  }
}

/** @throws Error that says why there was no answer, or none that Redis gives */
function createRequester({ url, token, giveUpMs, pauses }: RedisClientSettings): Requester {
  const base = url.replace(/\/$/, "");
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };

  async function post({ path = [], body }: UpstashRequest): Promise<{ response: Response; text: string }> {
    const commands = Array.isArray(body) ? body.length : 1;
    const longestBytes = LONGEST_ANSWER_BYTES + commands * LONGEST_RESULT_BYTES;
    const send = boundedFetch(giveUpMs, longestBytes, { connections: KEPT, timeout: patientTimeout });
    const signal = patientTimeout(giveUpMs);
    const call = { method: "POST", headers, body: JSON.stringify(body), signal };
    const address = [base, ...path].join("/");
    for (let tries = 0; ; tries++) {
      try {
        const response = await send(address, call);
        return { response, text: await response.text() };
      } catch (error) {
        const pause = pauses[tries];
        if (signal.aborted || pause === undefined) throw error;
        // By then the process has also heard of other idle connections that were closed with it.
        await sleep(pause);
      }
    }
  }

  return {
    async request(asked) {
      const { response, text } = await post(asked);
      const answer = Answer.safeParse(jsonOf(text));
      if (!answer.success) throw new Error(`Redis answered ${response.status} and no result`);
      if (!response.ok)
        throw new Error([answer.data].flat()[0]?.error ?? `Redis answered ${response.status}`);
      // What a command leads to only its caller knows, and checks.
      return answer.data as never;
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
