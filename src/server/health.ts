import { z } from "zod";
import { ping } from "@/core/db/client";
import type { AppContext } from "./context";

export const Health = z.object({
  status: z.literal("ok"),
  database: z.literal("ok"),
  sample_data: z.boolean().describe("True while the platform is simulated"),
});

/** Whether the service can serve. Fails like any request when the database cannot be reached. */
export async function health({ db, platform }: AppContext): Promise<z.input<typeof Health>> {
  await ping(db);
  return { status: "ok", database: "ok", sample_data: platform.name === "sample" };
}
