import { z } from "zod";
import { DestinationError, doubtfulSecondsOf, secondsOf } from "@/core/destination";
import type { Monitoring, MonitoringPost } from "@/core/monitoring";
import { SECOND } from "@/core/time";

const TRY_LIMIT = 10 * SECOND;
/** Bytes of an answer. */
const LONGEST_ANSWER = 65_536;
/** Where the channel says that it is too much and not for how long. */
const RATE_WAIT = 30;
const ADVICE = "Set MONITORING_WEBHOOK_URL to an incoming webhook that takes posts";

/**
 * A channel of Slack, or of Discord by the form of its webhook that ends in `/slack`. The address is the secret: no
 * error holds it.
 */
export function createWebhookMonitoring(url: string, tryLimit = TRY_LIMIT): Monitoring {
  const deliver = async (message: object) => {
    const answer = await send(url, message, tryLimit);
    if (!answer.ok) throw refusal(answer);
  };
  return {
    name: "webhook",
    post: (post) => deliver(messageOf(post)),
    notify: (text) => deliver({ text: escaped(text) }),
  };
}

interface Answer {
  ok: boolean;
  status: number;
  retryAfter: string | null;
  text: string;
}

async function send(url: string, message: object, tryLimit: number): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
      // A webhook that has moved is not followed: the post would arrive without its body.
      redirect: "manual",
      signal: AbortSignal.timeout(tryLimit),
    });
    const { ok, status, headers } = response;
    // The status is the answer: what follows it may be lost.
    const text = await beginningOf(response).catch(() => "");
    return { ok, status, retryAfter: headers.get("retry-after"), text };
  } catch (error) {
    throw new DestinationError(`the monitoring channel did not answer: ${causeOf(error)}`, { inDoubt: true });
  }
}

/** An answer's text, unless it is longer than any that tells something. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LONGEST_ANSWER) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusal({ status, retryAfter, text }: Answer): DestinationError {
  const told = `the monitoring channel answered ${status}${wordOf(text)}`;
  if (status === 429)
    return new DestinationError(told, {
      retryAfter: secondsOf(retryAfter) ?? secondsOf(discordWait(text)) ?? RATE_WAIT,
    });
  if (status >= 500 || status === 408)
    return new DestinationError(told, { inDoubt: true, retryAfter: doubtfulSecondsOf(retryAfter) });
  return new DestinationError(told, { final: true, advice: ADVICE });
}

/** Slack names an error by one word, such as `no_service`; anything longer may hold what it should not. */
function wordOf(text: string): string {
  return /^[a-z_]{1,40}$/.test(text) ? ` ${text}` : "";
}

const DiscordLimit = z.object({ retry_after: z.number() });

function discordWait(text: string): number | undefined {
  try {
    return DiscordLimit.parse(JSON.parse(text)).retry_after;
  } catch {
    return undefined;
  }
}

/** The code of a network fault, without the address that its message may hold. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}

/** The classic attachment, which both understand: a coloured bar, a linked title, fields. */
function messageOf({ message, severity, color, channelUrl, keyLabel, judged }: MonitoringPost): object {
  const text = escaped(oneLine(`${severity}: ${message}`));
  const attachment = {
    fallback: text,
    color,
    title: "Open the channel",
    title_link: channelUrl,
    fields: [
      { title: "Severity", value: escaped(severity), short: true },
      { title: "Key", value: escaped(oneLine(keyLabel)), short: true },
      ...(judged ? [{ title: "Judgement", value: escaped(judged), short: false }] : []),
    ],
  };
  return { text, attachments: [attachment] };
}

/** Text that begins no line of its own and turns none round. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ");
}

/**
 * Text in which names of channels are nothing but text: no links or mentions of Slack's, which stand in angle
 * brackets, none of Discord's, which begin with an at sign or are masked as `[text](address)`, and no addresses that
 * either makes links of. A word joiner, which nobody sees, breaks them.
 */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "@\u2060")
    .replaceAll("](", "]\u2060(")
    .replaceAll("://", ":\u2060//");
}
