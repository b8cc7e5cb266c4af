import { initTRPC, TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import type { MailContext } from "@/core/context";
import { type ErrorCode, type FieldIssue, UNEXPECTED_FAILURE } from "@/core/errors";
import { clientFailure } from "@/core/failure";
import { givenUp } from "@/core/gate";
import { limitReached, type Quota, takeRequest } from "@/core/quota";

/** Who calls a procedure with a session: merged into by features/keys, which knows what a key is. */
// biome-ignore lint/suspicious/noEmptyInterface: its members are declared where they are known
export interface Caller {}

/** The session that a call came with, and what can be done about it. */
export interface SessionDoor {
  /** Who is signed in, asked of the database on each call. @throws AppError `unauthorized` for no standing session */
  caller(): Promise<Caller>;
  /** Signs the reader in as a key that was let in. */
  open(caller: Caller): Promise<void>;
  /** Ends the session for good: a copy of its cookie is worth nothing either. */
  close(): Promise<void>;
}

/**
 * What procedures work with. The layers above declare the parts they need by merging into this interface; server/
 * hands all of them in.
 */
export interface ProcedureContext extends MailContext {
  quota: Quota;
  session: SessionDoor;
  /** For sign-in attempts only. */
  clientAddress: string;
  requestId: string;
  /** Whether the call has been answered without its work. */
  isGivenUp(): boolean;
}

const CODES = {
  invalid_request: "BAD_REQUEST",
  unauthorized: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  method_not_allowed: "METHOD_NOT_SUPPORTED",
  payload_too_large: "PAYLOAD_TOO_LARGE",
  unsupported_media_type: "UNSUPPORTED_MEDIA_TYPE",
  quota_exceeded: "TOO_MANY_REQUESTS",
  too_many_attempts: "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
} as const satisfies Record<ErrorCode, TRPCError["code"]>;

const trpc = initTRPC.context<ProcedureContext>().create({
  /** What a client reads of a failure: a sentence, the wrong fields, the request's id; nothing of the inside. */
  errorFormatter({ shape, error, ctx }) {
    const issues = issuesOf(error.cause);
    return {
      code: shape.code,
      message: messageOf(error, issues),
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        requestId: ctx?.requestId ?? null,
        issues,
        retryAfter: clientFailure(error.cause)?.retryAfter ?? null,
      },
    };
  },
});

export const { router, createCallerFactory } = trpc;

/** A procedure that anybody may call. Expected failures of its verb keep their meaning. */
export const open = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  const failure = result.ok ? null : clientFailure(result.error.cause);
  if (failure) throw new TRPCError({ code: CODES[failure.code], message: failure.message, cause: failure });
  return result;
});

/** A procedure for whoever is signed in with a key that still stands at this very call. Counts nothing. */
export const signedIn = open.use(async ({ ctx, next }) => {
  const key = await ctx.session.caller();
  if (ctx.isGivenUp()) throw givenUp();
  return next({ ctx: { key } });
});

/** A procedure that counts 1 against the key's day, exactly as the REST request of the same verb does. */
export const counted = signedIn.use(async ({ ctx, next }) => {
  const state = await takeRequest(ctx, ctx.key);
  if (!state.granted) throw limitReached(state);
  if (ctx.isGivenUp()) throw givenUp();
  return next();
});

function messageOf(error: TRPCError, issues: readonly FieldIssue[]): string {
  const failure = clientFailure(error.cause);
  if (failure) return failure.message;
  if (error.cause instanceof ZodError)
    return issues.map(({ field, message }) => `${field} ${message}`).join("; ");
  // Its own refusals (unknown procedure, wrong method, odd batch) are plain; whatever else was thrown is not told.
  return error.code === "INTERNAL_SERVER_ERROR" ? UNEXPECTED_FAILURE : error.message;
}

function issuesOf(cause: unknown): FieldIssue[] {
  if (cause instanceof ZodError)
    return cause.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  return clientFailure(cause)?.issues ?? [];
}
