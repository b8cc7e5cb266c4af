import { router, signedInProcedure } from "@/features/procedures";
import {
  ListChange,
  ListParams,
  ListsOfInput,
  NewList,
  NewView,
  NoteInput,
  NoteParams,
  RenameList,
  ViewParams,
} from "./schema";
import {
  addToList,
  createList,
  deleteList,
  deleteView,
  findListsWithCreator,
  getNote,
  listCreatorLists,
  listSavedViews,
  removeFromList,
  renameList,
  saveNote,
  saveView,
} from "./service";

export const listsRouter = router({
  all: signedInProcedure.query(({ ctx }) => listCreatorLists(ctx, ctx.key.id)),
  of: signedInProcedure.input(ListsOfInput).query(async ({ ctx, input }) => ({
    list_ids: await findListsWithCreator(ctx, ctx.key.id, input.channel_id),
  })),
  create: signedInProcedure.input(NewList).mutation(({ ctx, input }) => createList(ctx, ctx.key.id, input.name)),
  rename: signedInProcedure.input(RenameList).mutation(async ({ ctx, input }) => {
    await renameList(ctx, ctx.key.id, input.id, input.name);
    return { message: `The list is now called ${input.name}` };
  }),
  delete: signedInProcedure.input(ListParams).mutation(async ({ ctx, input }) => {
    await deleteList(ctx, ctx.key.id, input.id);
    return { message: "List deleted; its creators stay tracked" };
  }),
  add: signedInProcedure.input(ListChange).mutation(async ({ ctx, input }) => ({
    changed: await addToList(ctx, ctx.key.id, input.id, input.channel_ids),
  })),
  remove: signedInProcedure.input(ListChange).mutation(async ({ ctx, input }) => ({
    changed: await removeFromList(ctx, ctx.key.id, input.id, input.channel_ids),
  })),
});

export const notesRouter = router({
  get: signedInProcedure.input(NoteParams).query(({ ctx, input }) => getNote(ctx, ctx.key.id, input.channel_id)),
  save: signedInProcedure
    .input(NoteInput)
    .mutation(({ ctx, input }) => saveNote(ctx, ctx.key.id, input.channel_id, input.note)),
});

export const viewsRouter = router({
  all: signedInProcedure.query(async ({ ctx }) => ({ views: await listSavedViews(ctx, ctx.key.id) })),
  save: signedInProcedure
    .input(NewView)
    .mutation(({ ctx, input }) => saveView(ctx, ctx.key.id, input.name, input.query)),
  delete: signedInProcedure.input(ViewParams).mutation(async ({ ctx, input }) => {
    await deleteView(ctx, ctx.key.id, input.id);
    return { message: "View deleted" };
  }),
});
