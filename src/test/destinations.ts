import type { Mail, Mailer } from "@/core/mail/email";
import type { Monitoring, MonitoringPost } from "@/core/mail/monitoring";
import type { Clock } from "@/core/time";

/** A fake of a service that the product sends to. The test decides its answers. */
export interface Destination<T> {
  /** Everything that was sent, refused or not, and when. */
  tries: { at: Date; sent: T }[];
  /** Thrown by the next tries, one each. Null accepts a try. */
  failures: (Error | null)[];
  /** Answers nothing from now on, until the returned function is called. */
  hang(): () => void;
}

export interface FakeMailService extends Destination<Mail>, Mailer {
  /** Mails that were accepted, each idempotency key once. */
  accepted: Mail[];
}

/** A mail service with idempotency keys: it accepts a repeated mail once, and refuses another mail with a known key. */
export function createFakeMailService(clock: Clock): FakeMailService {
  const accepted: Mail[] = [];
  const { answer, next: _next, ...destination } = createDestination<Mail>(clock);
  return {
    ...destination,
    name: "outbox",
    accepted,
    async send(mail) {
      await answer(mail);
      const known = accepted.find(({ idempotencyKey }) => idempotencyKey === mail.idempotencyKey);
      if (!known) accepted.push(mail);
      else if (JSON.stringify(known) !== JSON.stringify(mail))
        throw new Error("this idempotency key was used for another mail");
      return `mail-${accepted.findIndex(({ idempotencyKey }) => idempotencyKey === mail.idempotencyKey)}`;
    },
  };
}

export interface FakeChannel extends Destination<MonitoringPost>, Monitoring {
  /** Posts that were accepted, repeated ones too. */
  posts: MonitoringPost[];
  /** Posts about the service itself. */
  notices: string[];
}

/** A monitoring channel without idempotency keys. */
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
      // A copy, because the object may change.
      tries.push({ at: clock.now(), sent: structuredClone(sent) });
      await next();
    },
  };
}
