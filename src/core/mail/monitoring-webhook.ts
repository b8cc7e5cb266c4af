import { z } from "zod";
import { boundedFetch, faultOf } from "@/core/http/bounded-fetch";
import { DestinationError, doubtfulSecondsOf, secondsOf } from "@/core/mail/destination";
import type { Monitoring, MonitoringPost } from "@/core/mail/monitoring";
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
  const fetch = boundedFetch(tryLimit, LONGEST_ANSWER, { secrets: new URL(url).pathname.split("/") });
  const deliver = async (message: object) => {
    const answer = await send(fetch, url, message);
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

async function send(fetch: typeof globalThis.fetch, url: string, message: object): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
      // A webhook that has moved is not followed: the post would arrive without its body.
      redirect: "manual",
    });
    const { ok, status, headers } = response;
    // The status is the answer: what follows it may be lost, or too long to tell something.
    const text = await response.text().catch(() => "");
    return { ok, status, retryAfter: headers.get("retry-after"), text };
  } catch (error) {
    throw new DestinationError(`the monitoring channel did not answer: ${faultOf(error)}`, { inDoubt: true });
  }
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
