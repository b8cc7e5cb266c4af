import { expect, it, vi } from "vitest";
import { AppError } from "@/core/errors";
import { PlatformError } from "./port";

it("errors are known by the copies of their classes in other bundles, and no others are", async () => {
  vi.resetModules();
  const other = { ...(await import("@/core/errors")), ...(await import("./port")) };
  expect(other.AppError).not.toBe(AppError);
  expect(other.PlatformError).not.toBe(PlatformError);
  const thrown = new other.PlatformError("unavailable", "down", 90);
  expect([thrown instanceof AppError, thrown instanceof PlatformError]).toEqual([true, true]);
  const unlike = new other.AppError("not_found", "No such thing");
  expect([unlike instanceof AppError, unlike instanceof PlatformError]).toEqual([true, false]);
  for (const stranger of [new Error("failure"), null, "AppError", { failure: "unavailable" }])
    expect([stranger instanceof AppError, stranger instanceof PlatformError]).toEqual([false, false]);
});
