import { initTRPC, TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import type { MailContext } from "@/core/context";
import { type ErrorCode, type FieldIssue, UNEXPECTED_FAILURE } from "@/core/errors";
import { clientFailure } from "@/core/http/failure";
import { type Quota, takeRequest } from "@/core/quota/quota";

/** The session that a call came with. */
export interface SessionDoor<Caller> {
  /** The signed-in key, read from the database on each call. @throws AppError `unauthorized` without a session */
  caller(): Promise<Caller>;
  /** Signs the reader in with a key. */
  open(caller: Caller): Promise<void>;
  /** Ends the session, for copies of its cookie too. */
  close(): Promise<void>;
}

/** What every procedure works with. A product adds its own parts in `createProcedures<Context>()`. */
export interface ProcedureContext<Caller> extends MailContext {
  quota: Quota;
  session: SessionDoor<Caller>;
  /** For sign-in attempts only. */
  clientAddress: string;
  requestId: string;
}

/** The least that the ladder must know of a signed-in key. */
type CountedKey = Parameters<typeof takeRequest>[1];

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

/**
 * The procedure ladder: `open`, then `signedIn` (a key that stands at this very call), then `counted` (takes 1 request of
 * the key's day, as the REST request of the same verb does).
 */
export function createProcedures<Caller extends CountedKey, Context extends ProcedureContext<Caller>>() {
  const trpc = initTRPC.context<Context & ProcedureContext<Caller>>().create({
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

  const open = trpc.procedure.use(async ({ next }) => {
    const result = await next();
    const failure = result.ok ? null : clientFailure(result.error.cause);
    if (failure) throw new TRPCError({ code: CODES[failure.code], message: failure.message, cause: failure });
    return result;
  });

  const signedIn = open.use(async ({ ctx, next }) => {
    const key = await ctx.session.caller();
    return next({ ctx: { key } });
  });

  const counted = signedIn.use(async ({ ctx, next }) => {
    await takeRequest(ctx, ctx.key);
    return next();
  });

  return { router: trpc.router, createCallerFactory: trpc.createCallerFactory, open, signedIn, counted };
}

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
