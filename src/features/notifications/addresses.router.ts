import { router, signedIn } from "@/features/procedures";
import {
  AddressState,
  ClearEmailAnswer,
  SetEmailAnswer,
  SetEmailInput,
  TestMailAnswer,
} from "./addresses.schema";
import { addressState, clearAlertEmail, sendTestMail, setAlertEmail } from "./addresses.service";

export const addressesRouter = router({
  get: signedIn.output(AddressState).query(({ ctx }) => addressState(ctx, ctx.key.id)),
  set: signedIn
    .input(SetEmailInput)
    .output(SetEmailAnswer.pick({ message: true, email: true }))
    .mutation(async ({ ctx, input: { email } }) => {
      const message = await setAlertEmail(ctx, ctx.key.id, email);
      return { message, email };
    }),
  test: signedIn.output(TestMailAnswer).mutation(async ({ ctx }) => ({
    message: `A test email was sent to ${await sendTestMail(ctx, ctx.key.id)}`,
  })),
  clear: signedIn.output(ClearEmailAnswer).mutation(async ({ ctx }) => {
    await clearAlertEmail(ctx, ctx.key.id);
    return { message: "Alert emails will no longer be sent", email: null };
  }),
});
