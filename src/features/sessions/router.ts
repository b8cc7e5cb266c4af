import { publicProcedure, router } from "@/features/procedures";
import { SignInAnswer, SignInInput, SignOutAnswer } from "./schema";
import { signIn } from "./service";

export const sessionsRouter = router({
  signIn: publicProcedure
    .input(SignInInput)
    .output(SignInAnswer)
    .mutation(async ({ ctx, input }) => {
      const key = await signIn(ctx, input.key, ctx.clientAddress);
      await ctx.session.open(key);
      return { label: key.label };
    }),
  signOut: publicProcedure.output(SignOutAnswer).mutation(async ({ ctx }) => {
    await ctx.session.close();
    return { signed_out: true };
  }),
});
