import { router, signedInProcedure } from "@/features/procedures";
import { Note, NoteInput, NoteParams } from "./notes.schema";
import { getNote, saveNote } from "./notes.service";
import {
  CreatorList,
  CreatorLists,
  ListAnswer,
  ListChange,
  ListChanged,
  ListParams,
  ListsOf,
  ListsOfInput,
  NewList,
  RenameList,
} from "./schema";
import {
  addToList,
  createList,
  deleteList,
  findListsWithCreator,
  listCreatorLists,
  removeFromList,
  renameList,
} from "./service";
import { NewView, SavedView, SavedViews, ViewAnswer, ViewParams } from "./views.schema";
import { deleteView, listSavedViews, saveView } from "./views.service";

export const listsRouter = router({
  all: signedInProcedure.output(CreatorLists).query(({ ctx }) => listCreatorLists(ctx, ctx.key.id)),
  of: signedInProcedure
    .input(ListsOfInput)
    .output(ListsOf)
    .query(async ({ ctx, input }) => ({
      list_ids: await findListsWithCreator(ctx, ctx.key.id, input.channel_id),
    })),
  create: signedInProcedure
    .input(NewList)
    .output(CreatorList)
    .mutation(({ ctx, input }) => createList(ctx, ctx.key.id, input.name)),
  rename: signedInProcedure
    .input(RenameList)
    .output(ListAnswer)
    .mutation(async ({ ctx, input }) => {
      await renameList(ctx, ctx.key.id, input.id, input.name);
      return { message: `The list is now called ${input.name}` };
    }),
  delete: signedInProcedure
    .input(ListParams)
    .output(ListAnswer)
    .mutation(async ({ ctx, input }) => {
      await deleteList(ctx, ctx.key.id, input.id);
      return { message: "List deleted; its creators stay tracked" };
    }),
  add: signedInProcedure
    .input(ListChange)
    .output(ListChanged)
    .mutation(async ({ ctx, input }) => ({
      changed: await addToList(ctx, ctx.key.id, input.id, input.channel_ids),
    })),
  remove: signedInProcedure
    .input(ListChange)
    .output(ListChanged)
    .mutation(async ({ ctx, input }) => ({
      changed: await removeFromList(ctx, ctx.key.id, input.id, input.channel_ids),
    })),
});

export const notesRouter = router({
  get: signedInProcedure
    .input(NoteParams)
    .output(Note)
    .query(({ ctx, input }) => getNote(ctx, ctx.key.id, input.channel_id)),
  save: signedInProcedure
    .input(NoteInput)
    .output(Note)
    .mutation(({ ctx, input }) => saveNote(ctx, ctx.key.id, input.channel_id, input.note)),
});

export const viewsRouter = router({
  all: signedInProcedure
    .output(SavedViews)
    .query(async ({ ctx }) => ({ views: await listSavedViews(ctx, ctx.key.id) })),
  save: signedInProcedure
    .input(NewView)
    .output(SavedView)
    .mutation(({ ctx, input }) => saveView(ctx, ctx.key.id, input.name, input.query)),
  delete: signedInProcedure
    .input(ViewParams)
    .output(ViewAnswer)
    .mutation(async ({ ctx, input }) => {
      await deleteView(ctx, ctx.key.id, input.id);
      return { message: "View deleted" };
    }),
});
