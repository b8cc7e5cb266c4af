"use server";

import { headers } from "next/headers";
import { isAppError } from "@/core/errors";
import { getClientAddress } from "@/core/http/client-address";
import { requestKey } from "@/features/keys/requests.service";
import { KeyRequestInput } from "@/features/keys/schema";
import { openForm } from "../request-id";

const FIELDS = ["name", "email", "tier", "purpose"] as const;
type Field = (typeof FIELDS)[number];

/** What the form shows: what was typed, and what is wrong with it. */
export interface FormState {
  sent: boolean;
  typed: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
  /** Concerns no single field. */
  problem: string | null;
}

const SENT: FormState = { sent: true, typed: {}, errors: {}, problem: null };
/** A longer text is refused, so the form need not bring it back. */
const MAX_TYPED_LENGTH = 2000;

/** Handles the form, also without scripts. A filled hidden field is answered like a request and stores nothing. */
export async function submit(_: FormState, form: FormData): Promise<FormState> {
  const given = Object.fromEntries(FIELDS.map((field) => [field, toText(form.get(field))]));
  const typed = Object.fromEntries(FIELDS.map((field) => [field, given[field]?.slice(0, MAX_TYPED_LENGTH)]));
  if (toText(form.get("website")) !== "") return SENT;
  const ctx = await openForm();
  const { success, data, error } = KeyRequestInput.safeParse(given);
  if (!success) {
    const errors: FormState["errors"] = {};
    for (const { path, message } of error.issues) errors[path[0] as Field] ??= message;
    return { sent: false, typed, errors, problem: null };
  }
  try {
    const { env } = ctx;
    const address = getClientAddress({ headers: await headers() }, env.serverless);
    await requestKey({ ...ctx, operatorEmail: env.operatorEmail }, data, address);
    return SENT;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { sent: false, typed, errors: {}, problem: error.message };
  }
}

function toText(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}
