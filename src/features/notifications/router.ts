import { router, signedInProcedure } from "@/features/procedures";
import { clearAlertEmail, getAddressState, sendTestMail, setAlertEmail } from "./addresses.service";
import { hasDigest, setDigest } from "./digests.service";
import { listMutedCreators, muteCreator, unmuteCreator } from "./mutes.service";
import { DigestSetting, MuteInput, SetEmailInput } from "./schema";

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

export const digestsRouter = router({
  get: signedInProcedure.query(async ({ ctx }) => ({ on: await hasDigest(ctx, ctx.key.id) })),
  set: signedInProcedure.input(DigestSetting).mutation(async ({ ctx, input }) => {
    await setDigest(ctx, ctx.key.id, input.on);
    return input;
  }),
});

export const mutesRouter = router({
  all: signedInProcedure.query(async ({ ctx }) => ({ creators: await listMutedCreators(ctx, ctx.key.id) })),
  mute: signedInProcedure.input(MuteInput).mutation(async ({ ctx, input }) => {
    await muteCreator(ctx, ctx.key.id, input.channel_id);
    return { is_muted: true };
  }),
  unmute: signedInProcedure.input(MuteInput).mutation(async ({ ctx, input }) => {
    await unmuteCreator(ctx, ctx.key.id, input.channel_id);
    return { is_muted: false };
  }),
});
