import { describe, expect, it } from "vitest";
import { getReturnPath, getSignInPath } from "./rules";

describe("redirect after sign-in", () => {
  it.each(["/alerts", "/overview?sort=name&order=asc", "/creators/UCY8vMFsho8bt_uH0G7KX-bg", "/usage?a=%2F%2Fb"])(
    "redirects to %s",
    (path) => expect(getReturnPath(path)).toBe(path),
  );

  it.each([
    undefined,
    "",
    "alerts",
    "https://elsewhere.example/alerts",
    "//elsewhere.example/alerts",
    "///elsewhere.example/alerts",
    "/\\elsewhere.example/alerts",
    "\\\\elsewhere.example/alerts",
    "/\t/elsewhere.example/alerts",
    "/alerts/../..//elsewhere.example",
    "/alerts/..//elsewhere.example/alerts",
    "/%2e%2e//elsewhere.example",
    "javascript:alert(1)",
    "/api/trpc/sessions.signOut",
    "/sign-in",
    "/alertsx",
  ])("redirects to /overview instead of %j", (requested) => expect(getReturnPath(requested)).toBe("/overview"));

  it("names the page to return to in the sign-in URL", () => {
    expect(getSignInPath("/overview")).toBe("/sign-in");
    expect(getSignInPath("/alerts?page=2&severity=WATCH")).toBe("/sign-in?to=%2Falerts%3Fpage%3D2%26severity%3DWATCH");
    const { searchParams } = new URL(getSignInPath("/alerts?page=2", { ended: true }), "http://growth.test");
    expect([searchParams.has("ended"), searchParams.get("to")]).toEqual([true, "/alerts?page=2"]);
  });
});
