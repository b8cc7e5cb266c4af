import { describe, expect, it, vi } from "vitest";
import { PlatformError } from "@/platform/port";
import { AppError, errorMessage, OperatorError } from "./errors";

describe("an error", () => {
  it("is of its own kind and of those it extends, and of no other", () => {
    const error = new PlatformError("unavailable", "down");
    expect([error instanceof PlatformError, error instanceof AppError, error instanceof Error]).toEqual([
      true,
      true,
      true,
    ]);
    expect(error instanceof OperatorError).toBe(false);
    expect(new AppError("not_found", "none") instanceof PlatformError).toBe(false);
    expect(new Error("other") instanceof AppError).toBe(false);
    expect(Object(null) instanceof AppError).toBe(false);
  });

  it("is told by words that the database can keep", () => {
    for (const thrown of [new Error("not\u0000 taken"), "not\u0000 taken"])
      expect(errorMessage(thrown)).toBe("not taken");
  });

  it("of several causes is told by the first", () => {
    const causes = ["1.2.3.4", "::1"].map((address) => new Error(`connect ECONNREFUSED ${address}`));
    expect(errorMessage(new AggregateError(causes))).toBe("connect ECONNREFUSED 1.2.3.4");
  });

  it("made by another copy of the code is known", async () => {
    vi.resetModules();
    const copy = await import("@/platform/port");
    expect(copy.PlatformError).not.toBe(PlatformError);
    const error: unknown = new copy.PlatformError("unavailable", "down");
    expect([error instanceof PlatformError, error instanceof AppError]).toEqual([true, true]);
  });
});
