import { eq } from "drizzle-orm";
import { AppError } from "@/core/errors";
import type { Database } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { apiKeys } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";

/** Serializes changes of a key's names, so parallel requests cannot exceed a limit. */
export function runExclusively<T>(
  { db }: Pick<CoreContext, "db">,
  keyId: KeyId,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    // Inserts that refer to the key do not wait for this lock.
    await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, keyId)).for("no key update");
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
