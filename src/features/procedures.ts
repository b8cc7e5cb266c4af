import { initTRPC, TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { AppError, type FieldIssue, UNEXPECTED_FAILURE } from "@/core/errors";
import type { Monitoring } from "@/core/mail/monitoring";
import { toClientError } from "@/db/client";
import type { SignedInKey } from "@/features/keys/schema";
import { takeRequest } from "@/features/usage/quota.service";
import type { EndpointContext } from "./endpoint";

/** The session of the request that a call came with. */
export interface RequestSession {
  /** The signed-in key, read from the database. @throws AppError `unauthorized` without a session */
  caller(): Promise<SignedInKey>;
  open(key: SignedInKey): Promise<void>;
  /** Ends the session, also for copies of its cookie. */
  close(): Promise<void>;
}

interface ProcedureContext extends EndpointContext {
  monitoring: Pick<Monitoring, "notify">;
  session: RequestSession;
  /** Whether creators may be shown to others, and their figures compared. */
  mayPublish: boolean;
  /** For sign-in attempts. */
  clientAddress: string;
  requestId: string;
}

interface ProcedureMeta {
  /** A mutation that a session of the demo may call: it changes and counts nothing for it. */
  inDemo?: true;
}

/** The answer to all that a session of the demo may not do. */
export const DEMO_REFUSAL = "This is a demo. Ask for a key to track creators.";

const CODES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  410: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
} as const satisfies Record<AppError["status"], TRPCError["code"]>;

const trpc = initTRPC
  .context<ProcedureContext>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const issues = listIssues(error.cause);
      return {
        code: shape.code,
        message: getMessage(error, issues),
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          requestId: ctx?.requestId ?? null,
          issues,
          retryAfter: toClientError(error.cause)?.retryAfter ?? null,
        },
      };
    },
  });

export const { router } = trpc;

export const publicProcedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  const failure = result.ok ? null : toClientError(result.error.cause);
  if (failure) throw new TRPCError({ code: CODES[failure.status], message: failure.message, cause: failure });
  return result;
});

export const signedInProcedure = publicProcedure.use(async ({ ctx, next, type, meta }) => {
  const key = await ctx.session.caller();
  if (key.isDemo && type === "mutation" && !meta?.inDemo) throw new AppError("forbidden", DEMO_REFUSAL);
  return next({ ctx: { key } });
});

/** A procedure that counts 1 request of the key's day, as the REST request for the same verb does. */
export const countedProcedure = signedInProcedure.use(async ({ ctx, next }) => {
  if (!ctx.key.isDemo) await takeRequest(ctx, ctx.key);
  return next();
});

function getMessage(error: TRPCError, issues: readonly FieldIssue[]): string {
  const failure = toClientError(error.cause);
  if (failure) return failure.message;
  if (error.cause instanceof ZodError) return issues.map(({ field, message }) => `${field} ${message}`).join("; ");
  // Only tRPC's own messages are safe to show.
  return error.code === "INTERNAL_SERVER_ERROR" ? UNEXPECTED_FAILURE : error.message;
}

function listIssues(cause: unknown): FieldIssue[] {
  if (cause instanceof ZodError) return cause.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  return toClientError(cause)?.issues ?? [];
}
