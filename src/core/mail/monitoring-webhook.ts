import { z } from "zod";
import { type Answer, call, faultOf, parseJson } from "@/core/http/call";
import { DestinationError, doubtfulSecondsOf, secondsOf } from "@/core/mail/destination";
import type { Monitoring, MonitoringPost } from "@/core/mail/monitoring";
import { SECOND } from "@/core/time";

const TRY_LIMIT = 10 * SECOND;
const MAX_ANSWER_BYTES = 65_536;
/** Where the channel says that it is too much and not for how long. */
const RATE_WAIT = 30;
const ADVICE = "Set MONITORING_WEBHOOK_URL to an incoming webhook that takes posts";

/**
 * A channel of Slack, or of Discord by the form of its webhook that ends in `/slack`. The address is the secret: no
 * error holds it.
 */
export function createWebhookMonitoring(url: string, tryLimit = TRY_LIMIT): Monitoring {
  const deliver = async (message: object) => {
    const { ok, status, headers, text } = await send(url, message, tryLimit);
    // The status is the answer: the body may be lost.
    if (!ok) throw refusal(status, headers.get("retry-after"), await text().catch(() => ""));
  };
  return {
    name: "webhook",
    post: (post) => deliver(messageOf(post)),
    notify: (text) => deliver({ text: escaped(text) }),
  };
}

function send(url: string, message: object, timeoutMs: number): Promise<Answer> {
  return call(url, {
    method: "POST",
    // On a kept connection that the channel closes just then, it would be in doubt whether a post was taken.
    headers: { "Content-Type": "application/json", Connection: "close" },
    body: JSON.stringify(message),
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    secrets: new URL(url).pathname.split("/"),
  }).catch((error) => {
    throw new DestinationError(`the monitoring channel did not answer: ${faultOf(error)}`, { inDoubt: true });
  });
}

function refusal(status: number, retryAfter: string | null, text: string): DestinationError {
  const told = `the monitoring channel answered ${status}${wordOf(text)}`;
  if (status === 429)
    return new DestinationError(told, {
      retryAfter: secondsOf(retryAfter) ?? secondsOf(parseJson(text, DiscordLimit)?.retry_after) ?? RATE_WAIT,
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
