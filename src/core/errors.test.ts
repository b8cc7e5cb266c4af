import { describe, expect, it, vi } from "vitest";
import { isPlatformError, PlatformError } from "@/platform/port";
import { AppError, getErrorMessage, isAppError, isOperatorError, OperatorError } from "./errors";

describe("an error", () => {
  it("is an instance of its own class and those it extends", () => {
    const error = new PlatformError("unavailable", "down");
    expect([isPlatformError(error), isAppError(error), isOperatorError(error)]).toEqual([true, true, false]);
    expect(isPlatformError(new AppError("not_found", "none"))).toBe(false);
    expect(isOperatorError(new OperatorError("wrong"))).toBe(true);
    const others = [
      new Error("other"),
      Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
      null,
      {},
    ];
    expect(others.filter(isAppError)).toEqual([]);
  });

  it("has a text without NUL, which PostgreSQL cannot store", () => {
    for (const thrown of [new Error("not\u0000 taken"), "not\u0000 taken"])
      expect(getErrorMessage(thrown)).toBe("not taken");
  });

  it("of several causes has the text of the first", () => {
    const causes = ["1.2.3.4", "::1"].map((address) => new Error(`connect ECONNREFUSED ${address}`));
    expect(getErrorMessage(new AggregateError(causes))).toBe("connect ECONNREFUSED 1.2.3.4");
  });

  it("of another copy of the code is recognized", async () => {
    vi.resetModules();
    const copy = await import("@/platform/port");
    expect(copy.PlatformError).not.toBe(PlatformError);
    const error: unknown = new copy.PlatformError("unavailable", "down");
    expect([isPlatformError(error), isAppError(error)]).toEqual([true, true]);
  });
});
