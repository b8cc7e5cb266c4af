import { describe, expect, it, vi } from "vitest";
import { isPlatformError, PlatformError } from "@/platform/port";
import { AppError, getErrorMessage, isAppError, isOperatorError, OperatorError } from "./errors";

describe("errors", () => {
  it("are instances of their own class and the classes that they extend", () => {
    const error = new PlatformError("unavailable", "down");
    expect([isPlatformError(error), isAppError(error), isOperatorError(error)]).toEqual([true, true, false]);
    expect(isPlatformError(new AppError("not_found", "none"))).toBe(false);
    expect(isOperatorError(new OperatorError("wrong"))).toBe(true);
    const others = [new Error("other"), Object.assign(new Error("refused"), { code: "ECONNREFUSED" }), null, {}];
    expect(others.filter(isAppError)).toEqual([]);
  });

  it("have messages without NUL, which PostgreSQL cannot store", () => {
    for (const thrown of [new Error("not\u0000 taken"), "not\u0000 taken"])
      expect(getErrorMessage(thrown)).toBe("not taken");
  });

  it("return the message of the first of several causes", () => {
    const causes = ["1.2.3.4", "::1"].map((address) => new Error(`connect ECONNREFUSED ${address}`));
    expect(getErrorMessage(new AggregateError(causes))).toBe("connect ECONNREFUSED 1.2.3.4");
  });

  it("are recognized from another copy of the code", async () => {
    vi.resetModules();
    const copy = await import("@/platform/port");
    expect(copy.PlatformError).not.toBe(PlatformError);
    const error: unknown = new copy.PlatformError("unavailable", "down");
    expect([isPlatformError(error), isAppError(error)]).toEqual([true, true]);
  });
});
