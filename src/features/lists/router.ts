import { router, signedIn } from "@/features/procedures";
import { Note, NoteInput, NoteParams } from "./notes.schema";
import { noteOf, saveNote } from "./notes.service";
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
  creatorListsOf,
  deleteList,
  listsHolding,
  removeFromList,
  renameList,
} from "./service";
import { NewView, SavedView, SavedViews, ViewAnswer, ViewParams } from "./views.schema";
import { deleteView, savedViewsOf, saveView } from "./views.service";

export const listsRouter = router({
  all: signedIn.output(CreatorLists).query(({ ctx }) => creatorListsOf(ctx, ctx.key.id)),
  of: signedIn
    .input(ListsOfInput)
    .output(ListsOf)
    .query(async ({ ctx, input }) => ({ list_ids: await listsHolding(ctx, ctx.key.id, input.channel_id) })),
  create: signedIn
    .input(NewList)
    .output(CreatorList)
    .mutation(({ ctx, input }) => createList(ctx, ctx.key.id, input.name)),
  rename: signedIn
    .input(RenameList)
    .output(ListAnswer)
    .mutation(async ({ ctx, input }) => {
      await renameList(ctx, ctx.key.id, input.id, input.name);
      return { message: `The list is now called ${input.name}` };
    }),
  delete: signedIn
    .input(ListParams)
    .output(ListAnswer)
    .mutation(async ({ ctx, input }) => {
      await deleteList(ctx, ctx.key.id, input.id);
      return { message: "List deleted; its creators stay tracked" };
    }),
  add: signedIn
    .input(ListChange)
    .output(ListChanged)
    .mutation(async ({ ctx, input }) => ({
      changed: await addToList(ctx, ctx.key.id, input.id, input.channel_ids),
    })),
  remove: signedIn
    .input(ListChange)
    .output(ListChanged)
    .mutation(async ({ ctx, input }) => ({
      changed: await removeFromList(ctx, ctx.key.id, input.id, input.channel_ids),
    })),
});

export const notesRouter = router({
  get: signedIn
    .input(NoteParams)
    .output(Note)
    .query(({ ctx, input }) => noteOf(ctx, ctx.key.id, input.channel_id)),
  save: signedIn
    .input(NoteInput)
    .output(Note)
    .mutation(({ ctx, input }) => saveNote(ctx, ctx.key.id, input.channel_id, input.note)),
});

export const viewsRouter = router({
  all: signedIn.output(SavedViews).query(async ({ ctx }) => ({ views: await savedViewsOf(ctx, ctx.key.id) })),
  save: signedIn
    .input(NewView)
    .output(SavedView)
    .mutation(({ ctx, input }) => saveView(ctx, ctx.key.id, input.name, input.query)),
  delete: signedIn
    .input(ViewParams)
    .output(ViewAnswer)
    .mutation(async ({ ctx, input }) => {
      await deleteView(ctx, ctx.key.id, input.id);
      return { message: "View deleted" };
    }),
});
