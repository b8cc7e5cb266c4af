import { expect, it } from "vitest";
import { readEnv } from "@/core/env";
import { ManualClock } from "@/core/time";
import { securityText } from "./security-text";

const clock = new ManualClock("2026-03-10T12:00:00.000Z");
const textWith = (contact: string) =>
  securityText({ env: readEnv({ APP_URL: "https://growth.test", OPERATOR_CONTACT: contact }), clock });

it("names the operator's address, and until when that holds", () => {
  expect(textWith("security@growth.test")).toBe(
    [
      "Contact: mailto:security@growth.test",
      "Expires: 2026-09-06T00:00:00.000Z",
      "Preferred-Languages: en",
      "Canonical: https://growth.test/.well-known/security.txt",
      "",
    ].join("\n"),
  );
  expect(textWith("https://growth.test/contact")).toContain("Contact: https://growth.test/contact\n");
});

it.each(["the operator of this service", "http://growth.test", "ask @us"])(
  "says nothing for %j",
  (contact) => {
    expect(textWith(contact)).toBeNull();
  },
);
