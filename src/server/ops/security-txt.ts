import type { Env } from "@/core/env";
import { parseUrl } from "@/core/http/url";
import { addDays, type Clock, startOfDay, toUtcDay } from "@/core/time";

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;
const ADDRESS = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;

type Site = Pick<Env, "appUrl" | "operatorContact">;

/** Where to report a vulnerability, by RFC 9116: the operator's email or page, else the privacy page. */
export function renderSecurityText({ appUrl, operatorContact }: Site, clock: Clock): string {
  const expires = startOfDay(addDays(toUtcDay(clock.now()), VALID_DAYS));
  const lines = [
    `Contact: ${toContactUri(operatorContact) ?? `${appUrl}/privacy`}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${appUrl}/.well-known/security.txt`,
  ];
  return `${lines.join("\n")}\n`;
}

function toContactUri(contact: string): string | null {
  if (ADDRESS.test(contact)) return `mailto:${encodeURI(contact)}`;
  return /^https:\/\/\S+$/i.test(contact) ? (parseUrl(contact)?.href ?? null) : null;
}
