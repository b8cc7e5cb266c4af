import { z } from "zod";

/** Whether the key gets the weekly digest. */
export const DigestSetting = z.object({ on: z.boolean() });
export type DigestSetting = z.output<typeof DigestSetting>;
