import { z } from "zod";

export const SignInInput = z.object({ key: z.string("must be your API key").trim().max(200, "is too long") });

export const SignInAnswer = z.object({ label: z.string() });

export const SignOutAnswer = z.object({ signed_out: z.literal(true) });
