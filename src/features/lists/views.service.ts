import { and, asc, eq } from "drizzle-orm";
import { AppError } from "@/core/errors";
import { foldName } from "@/core/fields";
import type { CoreContext } from "@/db/context";
import { savedViews } from "@/db/schema";
import type { KeyId } from "@/features/keys/schema";
import { runExclusively } from "@/features/keys/service";
import { createLimitError, createNameTakenError } from "./names.service";
import { VIEWS_PER_KEY } from "./rules";
import type { SavedView } from "./views.schema";

/** The key's saved views of the overview. */
export function listSavedViews({ db }: CoreContext, keyId: KeyId): Promise<SavedView[]> {
  return db
    .select({ id: savedViews.id, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(eq(savedViews.keyId, keyId))
    .orderBy(asc(savedViews.createdAt), asc(savedViews.id));
}

/** Saves a view under a new name. @throws AppError `invalid_request` when it is taken or the key has 20 views */
export function saveView(ctx: CoreContext, keyId: KeyId, name: string, query: string): Promise<SavedView> {
  return runExclusively(ctx, keyId, async ({ db, clock }) => {
    const held = await db.$count(savedViews, eq(savedViews.keyId, keyId));
    if (held >= VIEWS_PER_KEY) throw createLimitError("views", VIEWS_PER_KEY);
    const [saved] = await db
      .insert(savedViews)
      .values({ keyId, name, foldedName: foldName(name), query, createdAt: clock.now() })
      .onConflictDoNothing({ target: [savedViews.keyId, savedViews.foldedName] })
      .returning({ id: savedViews.id });
    if (!saved) throw createNameTakenError("view");
    return { ...saved, name, query };
  });
}

/** Deletes a saved view. @throws AppError `not_found` */
export async function deleteView({ db }: CoreContext, keyId: KeyId, id: string): Promise<void> {
  const deleted = await db
    .delete(savedViews)
    .where(and(eq(savedViews.keyId, keyId), eq(savedViews.id, id)))
    .returning({ id: savedViews.id });
  if (deleted.length === 0) throw new AppError("not_found", "This key has no view with that id");
}
