import { z } from "zod";
import { type FixedAnswer, startStandIn } from "./stand-in";

/** The body of a post, with the fields this service uses. */
const SlackMessage = z.object({
  text: z.string().min(1),
  attachments: z
    .array(
      z.object({
        fallback: z.string(),
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        title: z.string(),
        title_link: z.url(),
        fields: z.array(z.object({ title: z.string(), value: z.string(), short: z.boolean() })),
      }),
    )
    .optional(),
});
export type SlackMessage = z.output<typeof SlackMessage>;

/** A stand-in for Slack's incoming webhook. */
export type SlackServer = Awaited<ReturnType<typeof startSlackServer>>;

const SECRET_PATH = "services/T00000000/B00000000/secretsecretsecret";

/** Starts a server that answers in plain text, as Slack does. */
export async function startSlackServer({ port }: { port?: number } = {}) {
  const posts: SlackMessage[] = [];
  const standIn = await startStandIn({
    port,
    answer: async (request, { path }) => {
      if (path !== SECRET_PATH) return new Response("no_service", { status: 404 });
      const message = SlackMessage.safeParse(await request.json().catch(() => null));
      if (!message.success) return new Response("invalid_payload", { status: 400 });
      posts.push(message.data);
      return new Response("ok");
    },
  });
  return Object.assign(standIn, {
    /** Accepted posts. Slack has no idempotency keys. */
    posts,
    /** Its secret address. */
    webhookUrl: `${standIn.url}/${SECRET_PATH}`,
  });
}

/** An error in Slack's form, for `faults`. */
export function createSlackError(status: number, word: string, headers = {}): FixedAnswer {
  return { status, headers, body: word };
}
