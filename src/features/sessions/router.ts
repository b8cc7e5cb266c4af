import { z } from "zod";
import { audit } from "@/features/keys/audit.service";
import { publicProcedure, router, signedInProcedure } from "@/features/procedures";
import { endAllSessions, signIn } from "./service";

const SignInInput = z.object({ key: z.string("must be your API key").trim().max(200, "is too long") });

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
