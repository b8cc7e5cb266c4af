import { describe, expect, it } from "vitest";
import { ConfirmAddress, renderConfirmAddress } from "./confirm-address";
import { computeContrast } from "./format";
import { formatGrowthAlertSubject, GrowthAlert, renderGrowthAlert } from "./growth-alert";
import { KeyLink, renderKeyLink } from "./key-link";
import { KeyRequest, renderKeyRequest } from "./key-request";
import { palette } from "./layout";
import { renderTestMail, TestMail } from "./test-mail";
import { renderWeeklyDigest, WeeklyDigest } from "./weekly-digest";

const GMAIL_CLIPS_AT = 100 * 1024;

const templates = {
  "growth alert": {
    render: () => renderGrowthAlert(GrowthAlert.PreviewProps),
    props: GrowthAlert.PreviewProps,
  },
  "address confirmation": {
    render: () => renderConfirmAddress(ConfirmAddress.PreviewProps),
    props: ConfirmAddress.PreviewProps,
  },
  "key request": {
    render: () => renderKeyRequest(KeyRequest.PreviewProps),
    props: KeyRequest.PreviewProps,
  },
  "key link": { render: () => renderKeyLink(KeyLink.PreviewProps), props: KeyLink.PreviewProps },
  "test email": {
    render: () => renderTestMail(TestMail.PreviewProps),
    props: TestMail.PreviewProps,
  },
  "weekly digest": {
    render: () => renderWeeklyDigest(WeeklyDigest.PreviewProps),
    props: WeeklyDigest.PreviewProps,
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

  it("is in English, supports dark mode, loads nothing, and is not clipped by Gmail", async () => {
    const { html } = await render();
    expect(html).toContain('<html dir="ltr" lang="en">');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain("prefers-color-scheme:dark");
    expect(html).not.toMatch(/<img|<link|<script|@import|@font-face|url\(/);
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
  const { unsubscribeUrl } = GrowthAlert.PreviewProps;
  const mail = await renderGrowthAlert(GrowthAlert.PreviewProps);
  expect(mail.html).toContain(`href="${unsubscribeUrl}"`);
  expect(mail.text).toContain(`Unsubscribe: ${unsubscribeUrl}`);
});

it("confirmation email shows the address, escaped in html, and the link in both parts", async () => {
  const mail = await renderConfirmAddress({ ...ConfirmAddress.PreviewProps, address: "<i>a@b.example" });
  expect(mail.html).toContain("&lt;i&gt;a@b.example");
  expect(mail.html).toContain(`href="${ConfirmAddress.PreviewProps.confirmUrl}"`);
  expect(mail.text).toContain(ConfirmAddress.PreviewProps.confirmUrl);
  expect(mail.html + mail.text).not.toContain("Unsubscribe");
});

it("alert subject has severity, creator and percent", () => {
  expect(formatGrowthAlertSubject(GrowthAlert.PreviewProps)).toBe(
    "EXPLOSIVE: Pixel Foundry grew 61.2% in one day",
  );
});
