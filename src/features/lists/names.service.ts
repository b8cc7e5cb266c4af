import { eq } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { type CoreContext, inTransaction } from "@/db/context";
import { apiKeys } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";

/** Serializes changes of a key's names, so parallel requests cannot exceed a limit. */
export function runExclusively<T>(ctx: CoreContext, keyId: KeyId, work: (ctx: CoreContext) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    // Inserts that refer to the key do not wait for this lock.
    await tx.db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId)).for("no key update");
    return work(tx);
  });
}

export function createNameTakenError(what: "list" | "view"): AppError {
  return createNameError(`You already have a ${what} with this name`);
}

export function createLimitError(what: "lists" | "views", limit: number): AppError {
  return createNameError(`You have ${limit} ${what}, the most a key can have. Delete one first`);
}

function createNameError(message: string): AppError {
  return new AppError("invalid_request", message, { issues: [{ field: "name", message }] });
}
