import type { Mail, Mailer } from "@/core/mail/email";
import type { Monitoring, MonitoringPost } from "@/core/mail/monitoring";
import type { Clock } from "@/core/time";

/** Somebody else's service that we send things to, whose every answer the test decides. */
export interface Destination<T> {
  /** Whatever was sent, refused or not, and when. */
  tries: { at: Date; sent: T }[];
  /** Thrown by the next tries, one each; null lets a try through. */
  failures: (Error | null)[];
  /** From now on nothing is answered, until the returned function is called. */
  hang(): () => void;
}

/** Of a mail that nobody takes back. */
export const ALWAYS_WANTED = () => {};

export interface FakeMailService extends Destination<Mail>, Mailer {
  /** Mails that were accepted, each idempotency key once. */
  accepted: Mail[];
  /** What comes while the next mail waits for a connection. */
  whileConnecting: (() => Promise<unknown>) | null;
}

/**
 * A mail service that knows idempotency keys: the same mail again is accepted and not repeated, another mail with a
 * known key is refused.
 */
export function createFakeMailService(clock: Clock): FakeMailService {
  const accepted: Mail[] = [];
  const { answer, next: _next, ...destination } = createDestination<Mail>(clock);
  const service: FakeMailService = {
    ...destination,
    name: "outbox",
    accepted,
    whileConnecting: null,
    async send(mail, requireWanted) {
      const meanwhile = service.whileConnecting;
      service.whileConnecting = null;
      await meanwhile?.();
      requireWanted();
      await answer(mail);
      const known = accepted.find(({ idempotencyKey }) => idempotencyKey === mail.idempotencyKey);
      if (!known) accepted.push(mail);
      else if (JSON.stringify(known) !== JSON.stringify(mail))
        throw new Error("this idempotency key was used for another mail");
      return `mail-${accepted.findIndex(({ idempotencyKey }) => idempotencyKey === mail.idempotencyKey)}`;
    },
  };
  return service;
}

export interface FakeChannel extends Destination<MonitoringPost>, Monitoring {
  /** Posts that were accepted; a channel knows no idempotency keys. */
  posts: MonitoringPost[];
  /** What it was told of the service itself. */
  notices: string[];
}

/** A monitoring channel: whatever is posted is there, also twice. */
export function createFakeChannel(clock: Clock): FakeChannel {
  const posts: MonitoringPost[] = [];
  const notices: string[] = [];
  const { answer, next, ...destination } = createDestination<MonitoringPost>(clock);
  return {
    ...destination,
    name: "log",
    posts,
    notices,
    async post(post) {
      await answer(post);
      posts.push(post);
    },
    async notify(text) {
      await next();
      notices.push(text);
    },
  };
}

function createDestination<T>(
  clock: Clock,
): Destination<T> & { answer(sent: T): Promise<void>; next(): Promise<void> } {
  const tries: { at: Date; sent: T }[] = [];
  const failures: (Error | null)[] = [];
  let silence = Promise.resolve();
  const next = async () => {
    await silence;
    const failure = failures.shift();
    if (failure) throw failure;
  };
  return {
    next,
    tries,
    failures,
    hang() {
      let end = () => {};
      silence = new Promise((resolve) => {
        end = resolve;
      });
      return () => end();
    },
    async answer(sent) {
      // Kept as it is now, whatever becomes of the object.
      tries.push({ at: clock.now(), sent: structuredClone(sent) });
      await next();
    },
  };
}
