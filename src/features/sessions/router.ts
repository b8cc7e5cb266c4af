import { audit } from "@/features/keys/audit.service";
import { publicProcedure, router, signedInProcedure } from "@/features/procedures";
import { SignInInput } from "./schema";
import { endAllSessions, signIn } from "./service";

export const sessionsRouter = router({
  signIn: publicProcedure.input(SignInInput).mutation(async ({ ctx, input }) => {
    const key = await signIn(ctx, input.key, ctx.clientAddress);
    const entry = { action: "signed_in", actor: "owner", source: ctx.clientAddress } as const;
    await audit(ctx, key.id, entry, () => ctx.session.open(key));
    return { label: key.label };
  }),
  /** Ends all sessions of the key, this one too. */
  endAll: signedInProcedure.mutation(async ({ ctx }) => {
    const entry = { action: "sessions_ended", actor: "owner", source: ctx.clientAddress } as const;
    await audit(ctx, ctx.key.id, entry, () => endAllSessions(ctx, ctx.key.id));
    await ctx.session.close();
    return { signed_out: true };
  }),
  signOut: publicProcedure.mutation(async ({ ctx }) => {
    await ctx.session.close();
    return { signed_out: true };
  }),
});
