import { type Answer, call, describeFault, parseRetryAfter } from "@/core/http/call";
import type { Log } from "@/core/log/log";
import { DestinationError } from "@/core/mail/destination";
import { SECOND } from "@/core/time";

export interface MonitoringPost {
  message: string;
  severity: string;
  color: string;
  channelUrl: string;
  keyLabel: string;
  outlook: string | null;
  cause: string | null;
}

export interface Monitoring {
  readonly name: "log" | "webhook";
  /** Resolves once the post is accepted. @throws DestinationError */
  post(post: MonitoringPost): Promise<void>;
  notify(text: string): Promise<void>;
}

export function createLogMonitoring(log: Log): Monitoring {
  return {
    name: "log",
    post: async (post) => log.info({ monitoring: post }, "alert"),
    notify: async (text) => log.warn({ monitoring: { message: text } }, "notice"),
  };
}

const ADVICE = "Set MONITORING_WEBHOOK_URL to an incoming webhook that accepts posts";

/** A Slack channel, or a Discord channel by its webhook's `/slack` address. No error contains the address, a secret. */
export function createWebhookMonitoring(url: string, timeoutMs = 10 * SECOND): Monitoring {
  return {
    name: "webhook",
    post: (post) => send(url, formatMessage(post), timeoutMs),
    notify: (text) => send(url, { text: escapeText(text) }, timeoutMs),
  };
}

/** Something outside that expects a request after each daily run, and raises an alarm without one. */
export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** An address of healthchecks.io or a service like it. */
export function createHeartbeat(url: string, timeoutMs = 10 * SECOND) {
  return {
    /** @throws Error without the address, a secret */
    async send(): Promise<void> {
      const answer = await call(url, { timeoutMs, maxBytes: 65_536 }).catch((error) => {
        throw new Error(`HEARTBEAT_URL did not answer: ${describeFault(error)}`);
      });
      if (!answer.ok) throw new Error(`HEARTBEAT_URL answered ${answer.status}`);
    },
  };
}

async function send(url: string, message: object, timeoutMs: number): Promise<void> {
  const answer = await call(url, {
    method: "POST",
    // If the channel closed a kept connection at this moment, the outcome would be unknown.
    headers: { "Content-Type": "application/json", Connection: "close" },
    body: JSON.stringify(message),
    timeoutMs,
    maxBytes: 65_536,
  }).catch((error) => {
    throw new DestinationError(`the monitoring channel did not answer: ${describeFault(error)}`, {
      isOutcomeUnknown: true,
    });
  });
  if (!answer.ok) throw await toDestinationError(answer);
}

async function toDestinationError({ status, headers, text }: Answer): Promise<DestinationError> {
  const body = await text().catch(() => "");
  // Slack names an error in one word, such as `no_service`. Other text may contain the address.
  const word = /^[a-z_]{1,40}$/.test(body) ? ` ${body}` : "";
  const message = `the monitoring channel answered ${status}${word}`;
  const retryAfter = parseRetryAfter(headers.get("retry-after"));
  if (status === 429) return new DestinationError(message, { retryAfter });
  if (status >= 500 || status === 408) return new DestinationError(message, { isOutcomeUnknown: true, retryAfter });
  return new DestinationError(message, { final: true, advice: ADVICE });
}

function formatMessage({ message, severity, color, channelUrl, keyLabel, outlook, cause }: MonitoringPost): object {
  const text = escapeText(toOneLine(`${severity}: ${message}`));
  const fields = [
    { title: "Severity", value: escapeText(severity), short: true },
    { title: "Key", value: escapeText(toOneLine(keyLabel)), short: true },
    ...(outlook ? [{ title: "Outlook", value: escapeText(outlook), short: false }] : []),
    ...(cause ? [{ title: "Cause", value: escapeText(toOneLine(cause)), short: false }] : []),
  ];
  const attachment = { fallback: text, color, title: "Open the channel", title_link: channelUrl, fields };
  return { text, attachments: [attachment] };
}

function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ");
}

/** Text in which no name becomes a link, a mention or an entity of Slack or Discord. A word joiner breaks them. */
function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/@|\](?=\()|:(?=\/\/)/g, "$&\u2060");
}
