import { describe, expect, it } from "vitest";
import { computeContrast } from "@/test/contrast";
import { GROWTH_ALERT } from "@/test/mail-samples";
import { formatGrowthAlertSubject, type GrowthAlertProps, renderGrowthAlert } from "./growth-alert";
import { palette } from "./layout";

const base: GrowthAlertProps = {
  ...GROWTH_ALERT,
  percent: "12.5",
  before: 1000,
  after: 1125,
  severity: "WATCH",
  color: "#22d3ee",
};

const scale = [
  ["EXPLOSIVE", "#ff3366"],
  ["SURGING", "#ff6b35"],
  ["RISING FAST", "#a855f7"],
  ["WATCH", "#22d3ee"],
] as const;

function words(html: string): string {
  return html.replace(/<(style|title)>.*?<\/\1>/g, "").replace(/<[^>]*>/g, "");
}

describe.each(scale)("severity %s in the alert email", (severity, color) => {
  it("shows the severity in both parts, and color and symbol in the html", async () => {
    const mail = await renderGrowthAlert({ ...base, severity, color });
    expect(mail.html).toContain(`background-color:${color}`);
    expect(words(mail.html)).toMatch(new RegExp(`▲+ ${severity}`));
    expect(mail.text).toContain(severity);
    expect(mail.subject.startsWith(`${severity}: `)).toBe(true);
  });

  it("has enough contrast on the severity's color", () => {
    expect(computeContrast(color, palette.ink)).toBeGreaterThanOrEqual(4.5);
  });
});

describe("growth alert email", () => {
  it("shows growth, counts, rounding, day and source in both parts", async () => {
    const mail = await renderGrowthAlert({ ...base, bounds: { low: "8.9", high: "11.0" } });
    for (const part of [words(mail.html), mail.text]) {
      expect(part).toContain("Pixel Foundry grew 12.5% in one day (1,000 → 1,125)");
      expect(part).toContain("YouTube rounds counts. True growth is between +8.9% and +11.0%");
      expect(part).toContain(
        "Counts: YouTube. We calculate growth, severity, outlook and likely cause; YouTube does not.",
      );
      expect(part).toContain("because the API key “Scouting” tracks this creator");
      expect(part).toContain("20 Oct 2026");
      expect(part).toContain("Read 21 Oct 2026, 06:02 UTC");
      expect(part).not.toContain("Sample data");
    }
    expect(words(mail.html)).toContain("+12.5%");
  });

  it("links to channel, console and unsubscribe in both parts", async () => {
    const mail = await renderGrowthAlert(base);
    for (const url of [base.channelUrl, base.consoleUrl, base.unsubscribeUrl]) {
      expect(mail.html).toContain(`href="${url}"`);
      expect(mail.text).toContain(url);
    }
  });

  it("shows the outlook and its reason in both parts", async () => {
    const outlook = {
      word: "Single day",
      reason: "It was shrinking 2.0% a week before this jump.",
    };
    const mail = await renderGrowthAlert({ ...base, outlook });
    for (const part of [words(mail.html), mail.text])
      expect(part).toContain("Single day. It was shrinking 2.0% a week before this jump.");
    const none = await renderGrowthAlert({ ...base, outlook: null });
    expect(none.html + none.text).not.toContain("Single day");
  });

  it("does not mention rounding when the counts are exact", async () => {
    const mail = await renderGrowthAlert({ ...base, bounds: null });
    expect(mail.html + mail.text).not.toContain("rounds");
  });

  it("labels sample data and does not attribute it to YouTube", async () => {
    const mail = await renderGrowthAlert({ ...base, sampleData: true });
    for (const part of [words(mail.html), mail.text]) {
      expect(part).toContain("Sample data");
      expect(part).not.toContain("Counts: YouTube");
    }
  });

  it("writes a negative bound with its own sign", async () => {
    const mail = await renderGrowthAlert({ ...base, bounds: { low: "-0.4", high: "21.0" } });
    expect(mail.text).toContain("between -0.4% and +21.0%");
  });
});

describe("hostile name in the alert email", () => {
  const evil = '<b>Évil & "Co"</b>';

  it("is inert in html and literal in text", async () => {
    const mail = await renderGrowthAlert({ ...base, creatorName: evil, keyLabel: "<i>key</i>" });
    expect(mail.html).not.toMatch(/<b>|<i>key/);
    expect(mail.html).toContain("&lt;b&gt;Évil &amp; &quot;Co&quot;&lt;/b&gt;");
    expect(mail.text).toContain(`${evil} grew 12.5%`);
    expect(mail.text).toContain("“<i>key</i>”");
  });

  it("cannot add a header, a line or a change of writing direction", async () => {
    const creatorName = "Pixel\r\nBcc: all@example.com\u0000\u2028\u0085\u202eFoundry\ud800";
    expect(formatGrowthAlertSubject({ ...base, creatorName })).toBe(
      "WATCH: Pixel Bcc: all@example.com Foundry grew 12.5% in one day",
    );
    const mail = await renderGrowthAlert({ ...base, creatorName, keyLabel: "a\nb" });
    expect(mail.text).not.toMatch(/^Bcc/m);
    expect(mail.text).toContain("“a b”");
  });

  it("keeps right-to-left names and joined emoji intact", async () => {
    const mail = await renderGrowthAlert({ ...base, creatorName: "قناة 👩‍🚀" });
    expect(mail.html).toContain('<strong dir="auto">قناة 👩‍🚀</strong>');
    expect(mail.subject).toContain("قناة 👩‍🚀");
  });

  it('becomes "Unnamed creator" when it has only control characters', () => {
    expect(formatGrowthAlertSubject({ ...base, creatorName: "\n\t" })).toContain("Unnamed creator");
  });
});

describe("likely cause in the alert email", () => {
  const url = "https://www.youtube.com/watch?v=abcdefghijk";
  const makeCause = (title: string, thumbnailUrl: string | null = null): GrowthAlertProps["cause"] => ({
    text: `Likely from “${title}”: 1.2M views in 31 hours.`,
    videos: [{ title, url, thumbnailUrl, facts: "1.2M views in 31 hours" }],
  });

  it("links the video and shows its picture and facts", async () => {
    const mail = await renderGrowthAlert({ ...base, cause: makeCause("A kiln", "https://i.ytimg.com/vi/x/mq.jpg") });
    expect(mail.html).toContain('src="https://i.ytimg.com/vi/x/mq.jpg"');
    expect(mail.html.match(new RegExp(`href="${url.replace("?", "\\?")}"`, "g"))).toHaveLength(2);
    expect(words(mail.html)).toContain("A kiln1.2M views in 31 hours");
    expect(mail.text).toContain(`Likely from “A kiln”: 1.2M views in 31 hours.\n${url}`);
  });

  it("escapes a title, keeps its writing direction to itself, and names an empty one", async () => {
    const hostile = await renderGrowthAlert({ ...base, cause: makeCause("<img src=x onerror=alert(1)>\u202e") });
    expect(hostile.html).not.toContain("<img src=x");
    expect(hostile.html).toContain("&lt;img src=x onerror=alert(1)&gt;</a>");
    expect(hostile.html).toMatch(/<a [^>]*dir="auto"/);
    expect(words((await renderGrowthAlert({ ...base, cause: makeCause("") })).html)).toContain("Untitled video");
  });

  it("is a sentence without a video, and missing until it is known", async () => {
    const none = await renderGrowthAlert({ ...base, cause: { text: "No new video stands out.", videos: [] } });
    for (const part of [words(none.html), none.text]) expect(part).toContain("No new video stands out.");
    const pending = await renderGrowthAlert({ ...base, cause: null });
    for (const part of [words(pending.html), pending.text]) expect(part).not.toMatch(/Likely from|Likely cause\b(?!;)/);
  });
});
