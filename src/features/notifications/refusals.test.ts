import { beforeEach, describe, expect, it, vi } from "vitest";
import { DestinationError } from "@/core/mail/destination";
import { DAY, HOUR, MINUTE, SECOND, toDate } from "@/core/time";
import type { KeyId } from "@/features/keys/schema";
import { createJobs } from "@/server/jobs";
import { useDeliveries } from "@/test/deliveries";
import { getEmailSetting, setAlertEmail } from "./addresses.service";
import { deliver } from "./deliveries.service";

describe("refused delivery", () => {
  const { runs, listTries: triesFor, sweep, deliverAll, ...made } = useDeliveries();
  const { service } = runs;
  let alertId = "";
  let keyId = "" as KeyId;
  let address = "";

  beforeEach(async () => {
    const { key, email } = await runs.createMailedKey();
    [keyId, address] = [key.id, email];
    runs.channel.notices.length = 0;
    alertId = await runs.makeAlert(key.id);
  });

  const findDelivery = (destination?: "email" | "monitoring") => made.getDelivery(alertId, destination);

  /** When the email was tried, in seconds after 06:00. */
  const countTries = () =>
    triesFor(alertId).map(({ at }) => (at.getTime() - toDate(`${runs.next}T06:00:00Z`).getTime()) / SECOND);

  it("fails a delivery at once when it can never be accepted, and logs it once", async () => {
    const errors = vi.spyOn(service.log, "error");
    const refusal = new DestinationError("validation_error (422): Invalid `to` field", { final: true });
    runs.mailService.failures.push(refusal);
    await deliverAll();
    service.clock.advance(2 * HOUR);
    await sweep();
    await deliver(service, alertId, "email");
    expect(countTries()).toEqual([0]);
    expect(await findDelivery()).toMatchObject({ status: "failed", problem: refusal.message, attempts: 1 });
    expect((await findDelivery())?.finishedAt).toEqual(toDate(`${runs.next}T06:00:00Z`));
    expect(await findDelivery("monitoring")).toMatchObject({ status: "sent" });
    expect(errors.mock.calls.filter(([fields]) => JSON.stringify(fields).includes(alertId))).toHaveLength(1);
    errors.mockRestore();
  });

  it("names the key and the reason, never the address, in the log, and posts the first of a row of refusals", async () => {
    const errors = vi.spyOn(service.log, "error");
    const refuse = async (id: string) => {
      runs.mailService.failures.push(new DestinationError(`Invalid \`to\`: ${address} is unknown`, { final: true }));
      await deliver(service, id, "email");
    };
    await refuse(alertId);
    const later = await runs.makeAlert(keyId);
    service.clock.advance(MINUTE);
    await refuse(later);
    const reason = "Invalid `to`: (address) is unknown";
    expect(errors.mock.calls.map(([fields]) => fields)).toEqual([
      expect.objectContaining({ keyId, problem: reason }),
      expect.objectContaining({ keyId, problem: reason }),
    ]);
    expect(runs.channel.notices).toEqual([
      `An email of ${keyId} did not arrive (see \`npm run keys -- show ${keyId}\`): ${reason}`,
    ]);
    errors.mockRestore();
  });

  it("turns the address to refused with a hint, until another one is set", async () => {
    runs.mailService.failures.push(new DestinationError("validation_error (422)", { final: true }));
    await deliver(service, alertId, "email");
    expect(await getEmailSetting(service, keyId)).toEqual({
      email: address,
      delivery: "refused",
      delivery_since: service.clock.now().toISOString(),
      delivery_hint: "The last email did not arrive. Check the address, and set another one if it is wrong.",
    });
    service.clock.advance(DAY);
    await setAlertEmail(service, keyId, `new-${address}`);
    expect(await getEmailSetting(service, keyId)).toMatchObject({ delivery: "active" });
    service.clock.advance(MINUTE);
    await setAlertEmail(service, keyId, address);
    expect(await getEmailSetting(service, keyId)).toMatchObject({ delivery: "active", delivery_hint: null });
  });

  it("retries a second after the wait that the destination asks for", async () => {
    const createBusyError = (retryAfter: number) => new DestinationError("429", { retryAfter });
    runs.mailService.failures.push(createBusyError(1), createBusyError(7), createBusyError(90));
    await deliverAll();
    expect(countTries()).toEqual([0, 2, 10, 101]);
    expect(await findDelivery()).toMatchObject({ status: "sent", problem: null });
  });

  it("leaves a delivery alone until its wait is over, less five seconds for clock differences", async () => {
    runs.mailService.failures.push(new DestinationError("429", { retryAfter: 90 }));
    await expect(deliver(service, alertId, "email")).rejects.toMatchObject({ retryAfter: 90 });
    service.clock.advance(84 * SECOND);
    await deliver(service, alertId, "email");
    expect(await findDelivery()).toMatchObject({ status: "pending", attempts: 1, problem: "429" });
    service.clock.advance(SECOND);
    await deliver(service, alertId, "email");
    expect(await findDelivery()).toMatchObject({ status: "sent", attempts: 2 });
  });

  it("waits for the next day, even if sweeps and restarts come before", async () => {
    const untilMidnight = new DestinationError("daily_quota_exceeded", { retryAfter: 18 * 60 * 60 });
    runs.mailService.failures.push(untilMidnight);
    await expect(deliver(service, alertId, "email")).rejects.toThrow("daily_quota_exceeded");
    for (const time of ["06:10", "07:30", "12:00", "23:59:59"]) {
      runs.setTime(runs.next, time);
      await sweep();
      const started = await createJobs(service);
      await started.catchUp();
      await started.engine.drain((to) => service.clock.set(to));
      runs.setTime(runs.next, time);
    }
    expect(countTries()).toEqual([0]);
    service.clock.advance(SECOND);
    await deliverAll();
    expect(countTries()).toEqual([0, 18 * 60 * 60]);
    expect(await findDelivery()).toMatchObject({ status: "sent" });
  });

  it("sends after three days of refusals, because the outcome was never unknown", async () => {
    for (let days = 0; days < 3; days++) {
      runs.mailService.failures.push(new DestinationError("daily_quota_exceeded", { retryAfter: DAY / SECOND }));
      await expect(deliver(service, alertId, "email")).rejects.toThrow("daily_quota_exceeded");
      expect(await findDelivery()).toMatchObject({ status: "pending", outcomeUnknownSince: null });
      service.clock.advance(DAY);
    }
    await deliver(service, alertId, "email");
    expect(await findDelivery()).toMatchObject({ status: "sent", attempts: 4 });
  });

  it("closes a delivery as failed after a week of refusals", async () => {
    runs.mailService.failures.push(new DestinationError("monthly_quota_exceeded", { retryAfter: 60 }));
    await expect(deliver(service, alertId, "email")).rejects.toThrow("monthly_quota_exceeded");
    service.clock.advance(7 * DAY + 1);
    await deliver(service, alertId, "email");
    expect(countTries()).toEqual([0]);
    expect(await findDelivery()).toMatchObject({ status: "failed", problem: "monthly_quota_exceeded" });
  });

  it("keeps an unknown outcome through refusals: one idempotency key, unknown after 23 hours", async () => {
    const unknownOutcome = new DestinationError("application_error", { isOutcomeUnknown: true });
    const refusal = new DestinationError("daily_quota_exceeded", { retryAfter: 60 });
    runs.mailService.failures.push(refusal, unknownOutcome, refusal);
    for (const hours of [1, 22, 1]) {
      await expect(deliver(service, alertId, "email")).rejects.toThrow(DestinationError);
      service.clock.advance(hours * HOUR);
    }
    expect((await findDelivery())?.outcomeUnknownSince).toEqual(toDate(`${runs.next}T07:00:00Z`));
    service.clock.advance(1);
    await deliver(service, alertId, "email");
    expect(countTries()).toHaveLength(3);
    expect(await findDelivery()).toMatchObject({ status: "unknown", problem: "daily_quota_exceeded" });
  });

  it("logs each problem once, not at every try", async () => {
    const log = { ...service.log, error: vi.fn() } as unknown as typeof service.log;
    const createRefusal = (name: string) => new DestinationError(name, { retryAfter: 3600, advice: `About ${name}` });
    runs.mailService.failures.push(createRefusal("a"), createRefusal("a"), createRefusal("b"));
    for (let hour = 0; hour < 3; hour++) {
      await expect(deliver({ ...service, log }, alertId, "email")).rejects.toThrow(DestinationError);
      service.clock.advance(HOUR);
    }
    expect(vi.mocked(log.error).mock.calls.map(([fields]) => fields)).toEqual([
      { keyId, alertId, destination: "email", problem: "a", advice: "About a" },
      { keyId, alertId, destination: "email", problem: "b", advice: "About b" },
    ]);
  });

  it("keeps the result of a later try that took over", async () => {
    const release = runs.mailService.hang();
    const overdue = deliver(service, alertId, "email");
    await vi.waitFor(() => expect(countTries()).toHaveLength(1), { interval: 5, timeout: 20_000 });
    service.clock.advance(6 * MINUTE);
    const mailer = { name: "outbox" as const, send: async () => "mail-of-the-later-try" };
    await deliver({ ...service, mailer }, alertId, "email");
    runs.mailService.failures.push(new DestinationError("409", { final: true }));
    release();
    await overdue;
    expect(await findDelivery()).toMatchObject({ status: "sent", messageId: "mail-of-the-later-try" });
  });

  it("posts fewer than 20 times in a day while the answers of monitoring are lost", async () => {
    const createUnknownOutcome = () => new DestinationError("no answer", { isOutcomeUnknown: true });
    runs.channel.failures.push(...Array.from({ length: 200 }, createUnknownOutcome));
    await deliverAll();
    for (let minutes = 0; minutes < 24 * 60; minutes += 10) {
      service.clock.advance(10 * MINUTE);
      await sweep();
    }
    runs.channel.failures.length = 0;
    expect(await findDelivery("monitoring")).toMatchObject({ status: "unknown", problem: "no answer" });
    expect((await findDelivery("monitoring"))?.attempts).toBeLessThan(20);
  });

  it("uses the same sender at each try, even if ALERT_EMAIL_FROM changes", async () => {
    runs.mailService.failures.push(new Error("down"));
    const createContext = (from: string) => ({ ...service, mailer: { ...runs.mailService, from } });
    await expect(deliver(createContext("one@mail.test"), alertId, "email")).rejects.toThrow("down");
    await deliver(createContext("other@mail.test"), alertId, "email");
    expect(runs.mailService.accepted.at(-1)).toMatchObject({ from: "one@mail.test" });
  });
});
