import { router, signedInProcedure } from "@/features/procedures";
import { SetEmailInput } from "./addresses.schema";
import { clearAlertEmail, getAddressState, sendTestMail, setAlertEmail } from "./addresses.service";

export const addressesRouter = router({
  get: signedInProcedure.query(({ ctx }) => getAddressState(ctx, ctx.key.id)),
  set: signedInProcedure.input(SetEmailInput).mutation(async ({ ctx, input: { email } }) => {
    const message = await setAlertEmail(ctx, ctx.key.id, email);
    return { message, email };
  }),
  test: signedInProcedure.mutation(async ({ ctx }) => ({
    message: `A test email was sent to ${await sendTestMail(ctx, ctx.key.id)}`,
  })),
  clear: signedInProcedure.mutation(({ ctx }) => clearAlertEmail(ctx, ctx.key.id)),
});
