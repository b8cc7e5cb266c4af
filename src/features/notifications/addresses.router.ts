import { router, signedInProcedure } from "@/features/procedures";
import { AddressState, ClearEmailAnswer, SetEmailAnswer, SetEmailInput, TestMailAnswer } from "./addresses.schema";
import { clearAlertEmail, getAddressState, sendTestMail, setAlertEmail } from "./addresses.service";

export const addressesRouter = router({
  get: signedInProcedure.output(AddressState).query(({ ctx }) => getAddressState(ctx, ctx.key.id)),
  set: signedInProcedure
    .input(SetEmailInput)
    .output(SetEmailAnswer.pick({ message: true, email: true }))
    .mutation(async ({ ctx, input: { email } }) => {
      const message = await setAlertEmail(ctx, ctx.key.id, email);
      return { message, email };
    }),
  test: signedInProcedure.output(TestMailAnswer).mutation(async ({ ctx }) => ({
    message: `A test email was sent to ${await sendTestMail(ctx, ctx.key.id)}`,
  })),
  clear: signedInProcedure.output(ClearEmailAnswer).mutation(({ ctx }) => clearAlertEmail(ctx, ctx.key.id)),
});
