import { expect, it } from "vitest";
import { instant, ManualClock } from "@/core/time";
import { useService } from "@/test/service";
import { securityText } from "./security-text";

const service = useService();
const clock = new ManualClock(instant("2026-03-10T12:00:00Z"));
const textWith = (operatorContact: string) =>
  securityText({ env: { ...service.env, appUrl: "https://growth.test", operatorContact }, clock });

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
