import { z } from "zod";

export const SignInInput = z.object({ key: z.string("must be your API key").trim().max(200, "is too long") });
