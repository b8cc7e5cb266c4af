import { expect, it } from "vitest";
import { ManualClock } from "@/core/time";
import { renderSecurityText } from "./security-txt";

const clock = new ManualClock("2026-03-10T12:00:00.000Z");

it.each([
  ["security@growth.example", "mailto:security@growth.example"],
  ["https://growth.example/contact", "https://growth.example/contact"],
  ["the operator of this service", "https://growth.test/privacy"],
  ["Ann <ann@growth.example>\nContact: mailto:eve@elsewhere.example", "https://growth.test/privacy"],
])("writes %j as one contact with an address that tools understand", (operatorContact, contact) => {
  const text = renderSecurityText({ appUrl: "https://growth.test", operatorContact }, clock);
  expect(text.split("\n")).toEqual([
    `Contact: ${contact}`,
    "Expires: 2026-09-06T00:00:00.000Z",
    "Preferred-Languages: en",
    "Canonical: https://growth.test/.well-known/security.txt",
    "",
  ]);
});
