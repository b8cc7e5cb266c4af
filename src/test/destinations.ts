import type { Mail, Mailer } from "@/core/mail/email";
import type { Monitoring, MonitoringPost } from "@/core/mail/monitoring";
import type { Clock } from "@/core/time";

export type FakeMailService = ReturnType<typeof createFakeMailService>;

/** A mail service with idempotency keys: it accepts a repeated mail once, and refuses another mail with a known key. */
export function createFakeMailService(clock: Clock) {
  /** Mails that were accepted, each idempotency key once. */
  const accepted: Mail[] = [];
  const { answer, next: _next, ...destination } = createDestination<Mail>(clock);
  const mailer: Mailer = {
    name: "outbox",
    async send(mail) {
      await answer(mail);
      const known = accepted.find(({ idempotencyKey }) => idempotencyKey === mail.idempotencyKey);
      if (!known) accepted.push(mail);
      else if (JSON.stringify(known) !== JSON.stringify(mail))
        throw new Error("this idempotency key was used for another mail");
      return `mail-${accepted.findIndex(({ idempotencyKey }) => idempotencyKey === mail.idempotencyKey)}`;
    },
  };
  return { ...destination, ...mailer, accepted };
}

export type FakeChannel = ReturnType<typeof createFakeChannel>;

/** A monitoring channel without idempotency keys. */
export function createFakeChannel(clock: Clock) {
  /** Posts that were accepted, repeated ones too. */
  const posts: MonitoringPost[] = [];
  /** Posts about the service itself. */
  const notices: string[] = [];
  const { answer, next, ...destination } = createDestination<MonitoringPost>(clock);
  const monitoring: Monitoring = {
    name: "log",
    async post(post) {
      await answer(post);
      posts.push(post);
    },
    async notify(text) {
      await next();
      notices.push(text);
    },
  };
  return { ...destination, ...monitoring, posts, notices };
}

/** A fake of a service that the product sends to. The test decides its answers. */
function createDestination<T>(clock: Clock) {
  /** Everything that was sent, refused or not, and when. */
  const tries: { at: Date; sent: T }[] = [];
  /** Thrown by the next tries, one each. Null accepts a try. */
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
    /** Answers nothing from now on, until the returned function is called. */
    hang() {
      let end = () => {};
      silence = new Promise((resolve) => {
        end = resolve;
      });
      return () => end();
    },
    async answer(sent: T) {
      // A copy, because the object may change.
      tries.push({ at: clock.now(), sent: structuredClone(sent) });
      await next();
    },
  };
}
