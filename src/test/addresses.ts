import type * as unsubscribeRoute from "@/app/api/unsubscribe/route";
import { DestinationError } from "@/core/mail/destination";
import type { Mailer } from "@/core/mail/email";
import { createUnsubscribeToken, unsubscribe } from "@/features/notifications/suppressions.service";
import { useDailyRuns } from "./daily-run";
import type { TestKey } from "./service";

/** A key with an address for its alerts. */
export type MailedKey = TestKey & { email: string };
/** What a link in a mail leads to. */
type Route = Pick<typeof unsubscribeRoute, "GET" | "POST">;

/** The daily run for one test file about addresses: what they are sent, and what the links in it do. */
export function useAddresses() {
  const runs = useDailyRuns();
  const { service } = runs;

  async function createMailedKey(given?: string): Promise<MailedKey> {
    const { key, email } = await runs.createMailedKey(given);
    return { ...key, email };
  }

  async function createUnsubscribedKey(): Promise<MailedKey> {
    const key = await createMailedKey();
    await unsubscribe(service, createUnsubscribeToken(service, key.id, key.email));
    return key;
  }

  const listMailsTo = (email: string) => runs.mailService.accepted.filter(({ to }) => to === email);

  /** The token of the link in the latest confirmation mail. */
  function getConfirmToken(email: string): string {
    const [, token = ""] = /\/confirm-address\?token=(\S+)/.exec(listMailsTo(email).at(-1)?.text ?? "") ?? [];
    return token;
  }

  /** Has the key's creator grow, and all that follows. @returns the mails this sent to the address */
  async function growAndCount(key: MailedKey): Promise<number> {
    const before = listMailsTo(key.email).length;
    await runs.makeAlert(key.id);
    await service.catchUp();
    await service.drain();
    return listMailsTo(key.email).length - before;
  }

  /** Accepts every mail, but its answers are lost. */
  const lostAnswers: Mailer = {
    name: "outbox",
    send: async (mail) => {
      await runs.mailService.send(mail);
      throw new DestinationError("no answer", { isOutcomeUnknown: true });
    },
  };

  return {
    runs,
    createMailedKey,
    createUnsubscribedKey,
    mailsTo: listMailsTo,
    confirmToken: getConfirmToken,
    growAndCount,
    lostAnswers,
  };
}

const link = (token: string) => `http://growth.test/api/link?token=${encodeURIComponent(token)}`;

/** Opens a link of a mail. */
export const followLink = (route: Route, token: string) => route.GET(new Request(link(token)));

/** Presses the button behind a link of a mail. */
export const post = (route: Route, token: string, init: RequestInit = {}) =>
  route.POST(new Request(link(token), { method: "POST", ...init }));
