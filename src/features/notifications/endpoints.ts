import { PageQuery } from "@/core/http/page";
import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import { TrackedParams } from "@/features/creators/schema";
import { defineEndpoint } from "@/features/endpoint";
import { clearAlertEmail, getEmailSetting, setAlertEmail } from "./addresses.service";
import { findKnownId, listMutedPage, muteCreator, unmuteCreator } from "./mutes.service";
import {
  CLEARED,
  ClearEmailAnswer,
  EmailAnswer,
  type MailDelivery,
  MuteChannel,
  MutedPage,
  MuteResult,
  SetEmailAnswer,
  SetEmailInput,
} from "./schema";

const EXAMPLE_EMAIL = "scout@example.com";
const EXAMPLE_DELIVERY: MailDelivery = {
  delivery: "active",
  delivery_since: "2026-11-12T09:16:40.512Z",
  delivery_hint: null,
};

const set = defineEndpoint(
  {
    method: "POST",
    path: "/api/alerts/email",
    id: "setAlertEmail",
    tag: "Alerts",
    summary: "Set the address that receives growth alerts",
    description:
      "Replaces any earlier address. Safe to repeat. An address that unsubscribed from this key's emails, marked one as spam " +
      "or bounced gets a confirmation link first, at most one every 30 days, and alerts once it confirms.",
    body: SetEmailInput,
    answer: SetEmailAnswer,
    example: {
      body: { email: EXAMPLE_EMAIL },
      answer: {
        message: `Alert emails will be sent to ${EXAMPLE_EMAIL}`,
        email: EXAMPLE_EMAIL,
        ...EXAMPLE_DELIVERY,
      },
    },
  },
  async ({ ctx, key, body: { email } }) => {
    const message = await setAlertEmail(ctx, key.id, email);
    return { message, ...(await getEmailSetting(ctx, key.id)), email };
  },
);

const get = defineEndpoint(
  {
    method: "GET",
    path: "/api/alerts/email",
    id: "getAlertEmail",
    tag: "Alerts",
    summary: "The address that receives growth alerts",
    description: "`delivery` says whether alerts are emailed to it, and `delivery_hint` what to do if not.",
    answer: EmailAnswer,
    example: { answer: { email: EXAMPLE_EMAIL, ...EXAMPLE_DELIVERY } },
  },
  ({ ctx, key }) => getEmailSetting(ctx, key.id),
);

const clear = defineEndpoint(
  {
    method: "DELETE",
    path: "/api/alerts/email",
    id: "clearAlertEmail",
    tag: "Alerts",
    summary: "Clear the address that receives growth alerts",
    description: "Safe to repeat. `GET /api/alerts` still lists new alerts.",
    answer: ClearEmailAnswer,
    example: { answer: { message: CLEARED, email: null } },
  },
  ({ ctx, key }) => clearAlertEmail(ctx, key.id),
);

const { channel_id, name } = EXAMPLE_CREATOR;
const MUTED = "Emails muted. Alerts still appear.";
const UNMUTED = "Emails about this creator are sent again.";

const listMutes = defineEndpoint(
  {
    method: "GET",
    path: "/api/alerts/mutes",
    id: "listMutes",
    tag: "Alerts",
    summary: "Creators whose alerts come without emails",
    description: "Muted through the API, in the console or by the link in an email.",
    query: PageQuery,
    answer: MutedPage,
    example: {
      query: { limit: 20 },
      answer: {
        pagination: { total: 1, offset: 0, limit: 20, has_more: false },
        creators: [{ channel_id, name, muted_at: "2026-11-19T09:14:27.031Z" }],
      },
    },
  },
  ({ ctx, key, query }) => listMutedPage(ctx, key.id, query),
);

const mute = defineEndpoint(
  {
    method: "POST",
    path: "/api/alerts/mutes",
    id: "muteCreator",
    tag: "Alerts",
    summary: "Stop emails about a creator",
    description:
      "Its alerts still appear. Safe to repeat. 404 unless your key tracks the creator or has an alert of it.",
    body: MuteChannel,
    answer: MuteResult,
    errors: [404],
    example: { body: { channel_id }, answer: { message: MUTED, channel_id, is_muted: true } },
  },
  async ({ ctx, key, body }) => {
    const id = await findKnownId(ctx, key.id, body.channel_id);
    await muteCreator(ctx, key.id, id);
    return { message: MUTED, channel_id: id, is_muted: true };
  },
);

const unmute = defineEndpoint(
  {
    method: "DELETE",
    path: "/api/alerts/mutes/{channel_id}",
    id: "unmuteCreator",
    tag: "Alerts",
    summary: "Allow emails about a creator again",
    description: "Safe to repeat. Returns 404 unless your key tracks the creator, muted it or has an alert of it.",
    params: TrackedParams,
    answer: MuteResult,
    example: { params: { channel_id }, answer: { message: UNMUTED, channel_id, is_muted: false } },
  },
  async ({ ctx, key, params }) => {
    const id = await findKnownId(ctx, key.id, params.channel_id);
    await unmuteCreator(ctx, key.id, id);
    return { message: UNMUTED, channel_id: id, is_muted: false };
  },
);

export const emailEndpoints = [set, get, clear, listMutes, mute, unmute];
