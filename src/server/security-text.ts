import { addDays, startOfDay, utcDay } from "@/core/time";
import type { ServiceContext } from "./context";

const VALID_DAYS = 180;

/**
 * Whom to tell of a weakness of the service, as RFC 9116 has it; null while the operator's contact is no address.
 */
export function securityText({ env, clock }: Pick<ServiceContext, "env" | "clock">): string | null {
  const contact = asUri(env.operatorContact);
  if (!contact) return null;
  const expires = startOfDay(addDays(utcDay(clock.now()), VALID_DAYS));
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${env.appUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}

function asUri(contact: string): string | null {
  if (/^[^\s@<>?&]+@[^\s@<>?&]+\.[^\s@<>?&]+$/.test(contact)) return `mailto:${contact}`;
  return /^https:\/\/\S+$/i.test(contact) ? contact : null;
}
