import { describe, expect, it } from "vitest";
import { computeContrast } from "@/test/contrast";
import { CONFIRM_ADDRESS, GROWTH_ALERT, KEY_LINK, KEY_REQUEST, TEST_MAIL, WEEKLY_DIGEST } from "@/test/mail-samples";
import { renderConfirmAddress } from "./confirm-address";
import { formatGrowthAlertSubject, renderGrowthAlert } from "./growth-alert";
import { renderKeyLink } from "./key-link";
import { renderKeyRequest } from "./key-request";
import { palette } from "./layout";
import { renderTestMail } from "./test-mail";
import { renderWeeklyDigest } from "./weekly-digest";

const GMAIL_CLIPS_AT = 100 * 1024;

const templates = {
  "growth alert": {
    render: () => renderGrowthAlert(GROWTH_ALERT),
    props: GROWTH_ALERT,
  },
  "address confirmation": {
    render: () => renderConfirmAddress(CONFIRM_ADDRESS),
    props: CONFIRM_ADDRESS,
  },
  "key request": {
    render: () => renderKeyRequest(KEY_REQUEST),
    props: KEY_REQUEST,
  },
  "key link": { render: () => renderKeyLink(KEY_LINK), props: KEY_LINK },
  "test email": {
    render: () => renderTestMail(TEST_MAIL),
    props: TEST_MAIL,
  },
  "weekly digest": {
    render: () => renderWeeklyDigest(WEEKLY_DIGEST),
    props: WEEKLY_DIGEST,
  },
};

describe.each(Object.entries(templates))("email template %s", (_, { render, props }) => {
  it("renders subject, html and text without missing values", async () => {
    const mail = await render();
    for (const part of [mail.subject, mail.html, mail.text]) {
      expect(part).not.toMatch(/undefined|NaN|null|\[object/);
      expect(part.length).toBeGreaterThan(20);
    }
    expect(mail.subject).not.toMatch(/\p{Cc}/u);
    expect(mail.html).toContain(`<title>${mail.subject}</title>`);
  });

  it("has the console link and the reason for the email in both parts", async () => {
    const mail = await render();
    expect(mail.html).toContain(`href="${props.consoleUrl}"`);
    expect(mail.text).toContain(`Account console: ${props.consoleUrl}`);
    for (const part of [mail.html, mail.text]) expect(part).toContain("You get this because");
  });

  it("is in English, supports dark mode, loads nothing but pictures of videos, and is not clipped by Gmail", async () => {
    const { html } = await render();
    expect(html).toContain('<html dir="ltr" lang="en">');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain("prefers-color-scheme:dark");
    expect(html.replace(/<img[^>]* src="https:\/\/i\.ytimg\.com\/[^>]*>/g, "")).not.toMatch(
      /<img|<link|<script|@import|@font-face|url\(/,
    );
    expect(Buffer.byteLength(html)).toBeLessThan(GMAIL_CLIPS_AT);
  });

  it("renders the same bytes each time", async () => {
    expect(await render()).toEqual(await render());
  });
});

describe("shared colors", () => {
  it.each([
    ["ink", "paper"],
    ["quiet", "paper"],
    ["night-ink", "night-paper"],
    ["night-quiet", "night-paper"],
    ["ink", "night-ink"],
  ] as const)("%s has enough contrast on %s", (ink, ground) => {
    expect(computeContrast(palette[ink], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });
});

it("alert email has an unsubscribe link in both parts", async () => {
  const { unsubscribeUrl } = GROWTH_ALERT;
  const mail = await renderGrowthAlert(GROWTH_ALERT);
  expect(mail.html).toContain(`href="${unsubscribeUrl}"`);
  expect(mail.text).toContain(`Unsubscribe: ${unsubscribeUrl}`);
});

it("confirmation email shows the address, escaped in html, and the link in both parts", async () => {
  const mail = await renderConfirmAddress({ ...CONFIRM_ADDRESS, address: "<i>a@b.example" });
  expect(mail.html).toContain("&lt;i&gt;a@b.example");
  expect(mail.html).toContain(`href="${CONFIRM_ADDRESS.confirmUrl}"`);
  expect(mail.text).toContain(CONFIRM_ADDRESS.confirmUrl);
  expect(mail.html + mail.text).not.toContain("Unsubscribe");
});

it("alert subject has severity, creator and percent", () => {
  expect(formatGrowthAlertSubject(GROWTH_ALERT)).toBe("EXPLOSIVE: Pixel Foundry grew 61.2% in one day");
});
