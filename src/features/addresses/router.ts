import { router, signedIn } from "@/core/trpc";
import { ClearEmailAnswer, EmailSetting, SetEmailAnswer, SetEmailInput } from "./schema";
import { alertEmail, clearAlertEmail, setAlertEmail } from "./service";

export const addressesRouter = router({
  get: signedIn.output(EmailSetting).query(async ({ ctx }) => ({ email: await alertEmail(ctx, ctx.key.id) })),
  set: signedIn
    .input(SetEmailInput)
    .output(SetEmailAnswer)
    .mutation(async ({ ctx, input: { email } }) => {
      const message = await setAlertEmail(ctx, ctx.key.id, email);
      return { message, email };
    }),
  clear: signedIn.output(ClearEmailAnswer).mutation(async ({ ctx }) => {
    await clearAlertEmail(ctx, ctx.key.id);
    return { message: "Alert emails will no longer be sent", email: null };
  }),
});
