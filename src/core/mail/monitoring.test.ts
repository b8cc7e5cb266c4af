import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSlackError, type SlackServer, startSlackServer } from "@/test/slack-server";
import type { Fault } from "@/test/stand-in";
import { DestinationError } from "./destination";
import type { MonitoringPost } from "./monitoring";
import { createWebhookMonitoring } from "./monitoring";

const POST: MonitoringPost = {
  message: "Pixel Foundry grew 30.0% in one day (1,000 → 1,300)",
  severity: "SURGING",
  color: "#ff6b35",
  channelUrl: "https://www.youtube.com/channel/UCtest000000000000000001",
  keyLabel: "Acme",
  outlook: "Too early to say. There are 3 days of readings.",
  cause: null,
};

describe("monitoring webhook", () => {
  let server: SlackServer;

  beforeEach(async () => {
    server = await startSlackServer();
  });
  afterEach(() => server.stop());

  const createChannel = (url = server.webhookUrl, timeoutMs?: number) => createWebhookMonitoring(url, timeoutMs);

  async function expectPostFailure(fault: Fault): Promise<DestinationError> {
    server.faults.push(fault);
    return expectFailure(createChannel(server.webhookUrl, fault === "silence" ? 50 : undefined).post(POST));
  }

  async function expectFailure(work: Promise<void>): Promise<DestinationError> {
    const error = await work.then(() => null).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DestinationError);
    const everything = JSON.stringify({
      ...error,
      message: error.message,
      stack: error.stack,
      cause: error.cause,
    });
    expect(everything).not.toMatch(/secretsecret|B00000000/);
    return error;
  }

  it("posts the alert, its severity's color, the key and a link to the channel", async () => {
    await createChannel().post(POST);
    expect(server.posts).toEqual([
      {
        text: "SURGING: Pixel Foundry grew 30.0% in one day (1,000 → 1,300)",
        attachments: [
          {
            fallback: "SURGING: Pixel Foundry grew 30.0% in one day (1,000 → 1,300)",
            color: "#ff6b35",
            title: "Open the channel",
            title_link: POST.channelUrl,
            fields: [
              { title: "Severity", value: "SURGING", short: true },
              { title: "Key", value: "Acme", short: true },
              { title: "Outlook", value: "Too early to say. There are 3 days of readings.", short: false },
            ],
          },
        ],
      },
    ]);
  });

  it("makes no link, mention or entity from a channel or key name", async () => {
    const hostile =
      "<!channel> <https://evil.test|click> @everyone &lt;b&gt; <@U1> [Claim](https://evil.test) [it](<HTTP://evil.test>)";
    await createChannel().post({ ...POST, message: hostile, keyLabel: hostile, outlook: hostile });
    const shown = JSON.stringify(server.posts[0]).replace(`"title_link":"${POST.channelUrl}"`, "");
    expect(shown).not.toMatch(/<|>|@everyone|@U1|\]\(|:\/\//);
    const text = server.posts[0]?.text.replaceAll("\u2060", "");
    expect(text).toContain("&lt;!channel&gt; &lt;https://evil.test|click&gt; @everyone");
    expect(text).toContain("[Claim](https://evil.test)");
    expect(server.posts[0]?.text).toContain("&amp;lt;b&amp;gt;");
  });

  it("lets no channel or key name start a line or change the writing direction", async () => {
    const hostile = "Pixel\r\nEXPLOSIVE: Other\u2028grew \u202e900 %\u2029";
    await createChannel().post({ ...POST, message: hostile, keyLabel: hostile });
    expect(server.posts[0]?.text).toBe("SURGING: Pixel EXPLOSIVE: Other grew  900 % ");
    expect(JSON.stringify(server.posts[0])).not.toMatch(/\\[rn]|[\u2028\u2029\u202e]/);
  });

  it.each([
    [createSlackError(429, "rate_limited", { "retry-after": "30" }), 30],
    [createSlackError(429, "rate_limited", { "retry-after": "2.2" }), 3],
    [createSlackError(429, "rate_limited"), undefined],
    [{ status: 429, headers: { "retry-after": "2" }, body: { message: "You are being rate limited." } }, 2],
    [createSlackError(500, "server_error"), undefined],
    [createSlackError(503, "service_unavailable", { "retry-after": "60" }), 60],
    [createSlackError(503, "service_unavailable", { "retry-after": "86400" }), 3600],
    [{ status: 502, body: "<html>Bad gateway</html>" }, undefined],
    [createSlackError(408, ""), undefined],
  ] as [Fault, number | undefined][])("waits after %j for the requested time", async (fault, retryAfter) => {
    const isOutcomeUnknown = !(typeof fault === "object" && fault.status === 429);
    const failure = await expectPostFailure(fault);
    expect(failure).toMatchObject({ isOutcomeUnknown, final: false });
    expect([failure.retryAfter, failure.advice]).toEqual([retryAfter, undefined]);
  });

  it.each([
    [createSlackError(400, "invalid_payload"), "the monitoring channel answered 400 invalid_payload"],
    [createSlackError(403, "action_prohibited"), "the monitoring channel answered 403 action_prohibited"],
    [createSlackError(404, "no_service"), "the monitoring channel answered 404 no_service"],
    [createSlackError(410, "channel_is_archived"), "the monitoring channel answered 410 channel_is_archived"],
    [{ status: 404, body: { message: "Unknown Webhook", code: 10015 } }, "the monitoring channel answered 404"],
    [{ status: 404, body: "no hook secretsecretsecret at B00000000" }, "the monitoring channel answered 404"],
    [
      { status: 302, headers: { location: "https://elsewhere.test/" }, body: "" },
      "the monitoring channel answered 302",
    ],
  ])("gives up after %j and says what the operator must do", async (fault, message) => {
    const error = await expectPostFailure(fault);
    expect(error).toMatchObject({ final: true, message });
    expect(error.advice).toMatch(/MONITORING_WEBHOOK_URL/);
  });

  it("counts a post as accepted by its status, even if the rest of the response is lost", async () => {
    server.faults.push("cut");
    await createChannel().post(POST);
    expect(server.posts).toHaveLength(1);
  });

  it.each(["silence", "lost"] as const)("treats %s as an unknown outcome", async (fault) => {
    const failure = await expectPostFailure(fault);
    expect(failure).toMatchObject({ isOutcomeUnknown: true, final: false });
    expect([failure.retryAfter, failure.advice]).toEqual([undefined, undefined]);
  });

  it("treats an unreachable server as an unknown outcome", async () => {
    const gone = await startSlackServer();
    await gone.stop();
    const error = await expectFailure(createChannel(gone.webhookUrl).post(POST));
    expect(error).toMatchObject({ final: false, message: expect.stringMatching(/ECONNREFUSED$/) });
  });
});
