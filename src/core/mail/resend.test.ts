import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, ManualClock } from "@/core/time";
import { createResendError, RESEND_KEY, type ResendServer, startResendServer } from "@/test/resend-server";
import type { Fault } from "@/test/stand-in";
import { DestinationError } from "./destination";
import type { Mail } from "./email";
import { createResendMailer } from "./resend";

const FROM = "Creator Growth <growth@mail.test>";
const clock = new ManualClock("2026-03-10T06:00:00Z");

describe("Resend mailer", () => {
  let server: ResendServer;
  let mails = 0;

  beforeEach(async () => {
    server = await startResendServer({ clock });
  });
  afterEach(() => server.stop());

  const createMailer = (options: { apiKey?: string; url?: string } = {}, timeoutMs?: number) =>
    createResendMailer({ apiKey: RESEND_KEY, from: FROM, url: server.url, ...options }, clock, timeoutMs);

  function createMail(more: Partial<Mail> = {}): Mail {
    return {
      to: "scout@agency.test",
      subject: "WATCH: Pixel Foundry grew 12.5% in one day",
      html: "<p>12.5 %</p>",
      text: "12.5 %",
      headers: { "List-Unsubscribe": "<https://growth.test/u>", "List-Unsubscribe-Post": "a=b" },
      tags: { kind: "alert", delivery: "6f7b0f1e-0000-4000-8000-000000000000" },
      idempotencyKey: `alert/${mails++}`,
      ...more,
    };
  }

  async function expectSendFailure(fault: Fault): Promise<DestinationError> {
    server.faults.push(fault);
    const error = await createMailer({}, fault === "silence" ? 50 : undefined)
      .send(createMail())
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DestinationError);
    return error;
  }

  it("sends sender, both parts, headers, tags and idempotency key", async () => {
    const sent = createMail();
    const id = await createMailer().send(sent);
    expect(server.accepted).toEqual([
      {
        id,
        key: sent.idempotencyKey,
        times: 1,
        mail: {
          from: FROM,
          to: [sent.to],
          subject: sent.subject,
          html: sent.html,
          text: sent.text,
          headers: sent.headers,
          tags: [
            { name: "kind", value: "alert" },
            { name: "delivery", value: sent.tags.delivery },
          ],
        },
      },
    ]);
  });

  it("keeps the sender that an email was rendered with", async () => {
    await createMailer().send(createMail({ from: "earlier@mail.test" }));
    expect(server.accepted[0]?.mail.from).toBe("earlier@mail.test");
  });

  it.each(["lost", "cut"] as const)(
    "sends an email only once when its first response was %s, and returns its id",
    async (fault) => {
      const sent = createMail();
      server.faults.push(fault);
      await expect(createMailer().send(sent)).rejects.toThrow(DestinationError);
      const id = await createMailer().send(sent);
      expect(server.accepted).toMatchObject([{ id, times: 2 }]);
    },
  );

  const DAY_LEFT = 18 * 60 * 60;
  type Means = { retryAfter?: number; advice?: RegExp; final?: true };

  it.each([
    [429, "rate_limit_exceeded", { "retry-after": "7" }, { retryAfter: 7 }],
    [429, "rate_limit_exceeded", { "ratelimit-reset": "3" }, { retryAfter: 3 }],
    [429, "rate_limit_exceeded", { "retry-after": "0" }, { retryAfter: 1 }],
    [429, "rate_limit_exceeded", { "retry-after": "soon" }, {}],
    [429, "rate_limit_exceeded", {}, {}],
    [429, "daily_quota_exceeded", { "retry-after": "1" }, { retryAfter: DAY_LEFT, advice: /quota/ }],
    [429, "monthly_quota_exceeded", {}, { retryAfter: DAY_LEFT, advice: /quota/ }],
    [409, "concurrent_idempotent_requests", {}, { retryAfter: 5 }],
    [409, "invalid_idempotent_request", {}, { final: true }],
    [400, "invalid_idempotency_key", {}, { final: true }],
    [422, "validation_error", {}, { final: true }],
    [400, "validation_error", {}, { final: true }],
    [422, "missing_required_field", {}, { final: true }],
    [422, "invalid_parameter", {}, { final: true }],
    [403, "validation_error", {}, { retryAfter: 3600, advice: /ALERT_EMAIL_FROM/ }],
    [422, "invalid_from_address", {}, { retryAfter: 3600, advice: /ALERT_EMAIL_FROM/ }],
    [401, "missing_api_key", {}, { retryAfter: 3600, advice: /RESEND_API_KEY/ }],
    [403, "invalid_api_key", {}, { retryAfter: 3600, advice: /RESEND_API_KEY/ }],
    [401, "restricted_api_key", {}, { retryAfter: 3600, advice: /RESEND_API_KEY/ }],
    [404, "not_found", {}, { retryAfter: 3600, advice: /RESEND_BASE_URL/ }],
    [451, "security_error", {}, { retryAfter: 3600, advice: /support/ }],
    [500, "internal_server_error", {}, {}],
    [503, "application_error", { "retry-after": "30" }, { retryAfter: 30 }],
    [503, "service_unavailable", { "retry-after": "172800" }, { retryAfter: 3600 }],
    [500, "an_error_of_tomorrow", {}, {}],
  ] as [number, string, Record<string, string>, Means][])("maps %i %s to %j", async (status, name, headers, means) => {
    const failure = await expectSendFailure(createResendError(status, name, "words of the service", headers));
    expect(failure.message).toBe(`${name} (${status}): words of the service`);
    expect(failure.final).toBe(means.final === true);
    expect(failure.isOutcomeUnknown).toBe(status >= 500 || name === "concurrent_idempotent_requests");
    expect(failure.retryAfter).toBe(means.retryAfter);
    if (means.advice) expect(failure.advice).toMatch(means.advice);
    else expect(failure.advice).toBeUndefined();
  });

  it.each<[string, Fault]>([
    ["HTML", { status: 502, body: "<html>Bad gateway</html>" }],
    ["HTML of a proxy", { status: 408, body: "<html>Request time-out</html>" }],
    ["an empty body", { status: 499, body: "" }],
    ["null", { status: 500, body: "null" }],
    ["a list", { status: 500, body: [] }],
    ["an error in another form", { status: 400, body: { message: ["to is wrong"], error: "Bad Request" } }],
    ["a redirect", { status: 303, headers: { location: "/emails" }, body: "" }],
    ["success without an id", { status: 200, body: {} }],
    ["success that is not JSON", { status: 200, body: "ok" }],
    ["silence", "silence"],
    ["half an answer", "cut"],
    ["a closed connection", "lost"],
  ])("treats %s as an unknown outcome", async (_, fault) => {
    const failure = await expectSendFailure(fault);
    expect(failure).toMatchObject({ isOutcomeUnknown: true, final: false });
    expect([failure.retryAfter, failure.advice]).toEqual([undefined, undefined]);
  });

  it("treats an unreachable server as an unknown outcome", async () => {
    const gone = await startResendServer();
    await gone.stop();
    await expect(createMailer({ url: gone.url }).send(createMail())).rejects.toMatchObject({
      isOutcomeUnknown: true,
      final: false,
    });
  });

  it("relies on idempotency keys for 24 hours", async () => {
    const sent = createMail();
    await createMailer().send(sent);
    clock.advance(DAY - 1);
    await createMailer().send(sent);
    expect(server.accepted).toHaveLength(1);
    await expect(createMailer().send({ ...sent, text: "13 %" })).rejects.toMatchObject({
      final: true,
    });
    clock.advance(1);
    await createMailer().send(sent);
    expect(server.accepted).toHaveLength(2);
  });

  it("keeps its API key out of errors, even if Resend repeats it", async () => {
    const failure = await expectSendFailure(createResendError(403, "invalid_api_key", `no such key: ${RESEND_KEY}`));
    const wrong = await createMailer({ apiKey: "re_another_secret" })
      .send(createMail())
      .catch((error) => error);
    for (const error of [failure, wrong])
      expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toMatch(
        /re_test|re_another/,
      );
    expect(failure.message).toBe("invalid_api_key (403): no such key: ***");
  });

  it("needs no API key before its first email", () => {
    expect(() => createResendMailer({ apiKey: "", from: FROM, url: server.url }, clock)).not.toThrow();
  });
});
