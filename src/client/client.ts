import { iterateItems, iteratePagesAfter } from "./pages.js";
import { type CallOptions, createSender, type GrowthClientOptions, type Sender } from "./request.js";
import type { components, operations } from "./types.js";

export { ApiError, type CallOptions, type ErrorBody, type GrowthClientOptions } from "./request.js";
export type { GrowthClient };

type Schemas = components["schemas"];
export type Alert = Schemas["Alert"];
export type Change = Schemas["Change"];
export type Creator = Schemas["Creator"];
export type TrackedCreator = Schemas["TrackedCreator"];
export type MutedCreator = Schemas["MutedCreator"];
export type Pagination = Schemas["Pagination"];
export type Snapshot = Schemas["Snapshot"];

type Operation = keyof operations;
type Parameters<Id extends Operation> = NonNullable<operations[Id]["parameters"]["query"]>;
/** Choices of true and false are booleans. */
type Value<Given> = [Extract<Given, string>] extends ["true" | "false"] ? boolean | Exclude<Given, string> : Given;
/** The query parameters of an operation. */
export type Query<Id extends Operation> = {
  [Name in keyof Omit<Parameters<Id>, "format" | "strict">]: Name extends keyof Parameters<Id>
    ? Value<Parameters<Id>[Name]>
    : never;
};
/** The filters of a list, of which an iterator reads all pages. */
export type Filter<Id extends Operation> = Omit<Query<Id>, "offset" | "limit" | "after" | "before">;
/** The body of a success of an operation. */
export type Answer<Id extends Operation> = operations[Id]["responses"][200]["content"]["application/json"];

type Tracked = Answer<"trackCreator">;
/** The result for one channel that was tracked. */
export type TrackAnswer = Omit<Tracked, "creator" | "results"> & { creator: TrackedCreator };
/** The result for one channel of a list: a `creator` or an `error`. */
export type TrackResult = Schemas["TrackResult"];

const CHANNELS_PER_REQUEST = 50;

/** Creates a client of the Creator Growth Tracking Service. @throws TypeError without an address or a key */
export function createGrowthClient(options: GrowthClientOptions): GrowthClient {
  return new GrowthClient(createSender(options));
}

/** Its methods return the body of a success, and throw an {@link ApiError} for every other response. */
class GrowthClient {
  readonly #send: Sender;

  constructor(send: Sender) {
    this.#send = send;
  }

  /** Creators of a niche, best score first. */
  discover(query: Query<"discoverCreators">, options?: CallOptions): Promise<Answer<"discoverCreators">> {
    return this.#send("get", "/api/discover", { query }, options);
  }

  /** The map of niches, with the number of their creators. */
  niches(options?: CallOptions): Promise<Answer<"listNiches">> {
    return this.#send("get", "/api/niches", {}, options);
  }

  /** One creator, also one that you do not track: a channel id, `@handle` or channel URL. */
  creator(channelId: string, options?: CallOptions): Promise<Answer<"getCreator">> {
    return this.#send("get", "/api/creators/{channel_id}", { channelId }, options);
  }

  /** Starts tracking a creator: a channel id, `@handle` or channel URL. */
  async track(channelId: string, options?: CallOptions): Promise<TrackAnswer> {
    const body = { channel_id: channelId };
    const { creator, results: _, ...rest } = await this.#send("post", "/api/track", { body }, options);
    if (creator) return { ...rest, creator };
    throw new TypeError("The response has no creator");
  }

  /** Starts tracking a list of any length, with one request per 50. Results are in the order given. */
  async trackMany(channelIds: readonly string[], options?: CallOptions): Promise<TrackResult[]> {
    const results: TrackResult[] = [];
    for (let from = 0; from < channelIds.length; from += CHANNELS_PER_REQUEST) {
      const channel_ids = channelIds.slice(from, from + CHANNELS_PER_REQUEST);
      const answer = await this.#send("post", "/api/track", { body: { channel_ids } }, options);
      if (!answer.results) throw new TypeError("The response has no results");
      results.push(...answer.results);
    }
    return results;
  }

  /** One tracked creator: a channel id, `@handle` or channel URL. */
  async tracked(channelId: string, options?: CallOptions): Promise<TrackedCreator> {
    const { creator } = await this.#send("get", "/api/track/{channel_id}", { channelId }, options);
    return creator;
  }

  /** Stops tracking a creator; its alerts stay. */
  untrack(channelId: string, options?: CallOptions): Promise<Answer<"untrackCreator">> {
    return this.#send("delete", "/api/track/{channel_id}", { channelId }, options);
  }

  /** The daily snapshots of a tracked creator, oldest first. */
  history(
    channelId: string,
    query: Query<"getCreatorHistory"> = {},
    options?: CallOptions,
  ): Promise<Answer<"getCreatorHistory">> {
    return this.#send("get", "/api/track/{channel_id}/history", { channelId, query }, options);
  }

  /** One page of the tracked creators. */
  listTracked(query: Query<"listTrackedCreators"> = {}, options?: CallOptions): Promise<Answer<"listTrackedCreators">> {
    return this.#send("get", "/api/track", { query }, options);
  }

  /**
   * All tracked creators that match, with one request per 100. Without `sort`, in the order of channel ids: a creator that
   * stays tracked is neither missed nor repeated.
   */
  async *trackedCreators(
    filter: Filter<"listTrackedCreators"> = {},
    options?: CallOptions,
  ): AsyncGenerator<TrackedCreator, void, undefined> {
    const list = (page: object) => this.listTracked({ ...filter, ...page }, options);
    if (filter.sort) yield* iterateItems(list, ({ creators }) => creators);
    else for await (const { creators } of iteratePagesAfter(list, "")) yield* creators;
  }

  /** One page of the alerts. */
  listAlerts(query: Query<"listAlerts"> = {}, options?: CallOptions): Promise<Answer<"listAlerts">> {
    return this.#send("get", "/api/alerts", { query }, options);
  }

  /** All alerts that match, newest first, with one request per 100. */
  alerts(filter: Filter<"listAlerts"> = {}, options?: CallOptions): AsyncGenerator<Alert, void, undefined> {
    return iterateItems(
      (page) => this.listAlerts({ ...filter, ...page }, options),
      ({ alerts }) => alerts,
    );
  }

  /** The alerts created after the alert with this id, oldest first; all without one. None is missed or repeated. */
  async *alertsAfter(id = "", options?: CallOptions): AsyncGenerator<Alert, void, undefined> {
    const pages = iteratePagesAfter((page) => this.listAlerts(page, options), id);
    for await (const { alerts } of pages) yield* alerts;
  }

  /** One page of what changed for your key. */
  listChanges(query: Query<"listChanges"> = {}, options?: CallOptions): Promise<Answer<"listChanges">> {
    return this.#send("get", "/api/changes", { query }, options);
  }

  /**
   * What changed for your key after a cursor, oldest first, each change once; everything that is kept without one. Ends with
   * the latest change. Store each change's `cursor` to continue later. An {@link ApiError} 410 has the oldest cursor that
   * still works in `body.oldest_after`.
   */
  async *changes(cursor = "", options?: CallOptions): AsyncGenerator<Change, void, undefined> {
    const pages = iteratePagesAfter((page) => this.listChanges(page, options), cursor);
    for await (const { changes } of pages) yield* changes;
  }

  /** The address that receives alerts; null when none is set. */
  async alertEmail(options?: CallOptions): Promise<Answer<"getAlertEmail">["email"]> {
    const { email } = await this.#send("get", "/api/alerts/email", {}, options);
    return email;
  }

  /** Sets the address that receives alerts, in place of any earlier one. */
  setAlertEmail(email: string, options?: CallOptions): Promise<Answer<"setAlertEmail">> {
    return this.#send("post", "/api/alerts/email", { body: { email } }, options);
  }

  /** Clears the address that receives alerts. */
  clearAlertEmail(options?: CallOptions): Promise<Answer<"clearAlertEmail">> {
    return this.#send("delete", "/api/alerts/email", {}, options);
  }

  /** All creators whose alerts come without emails, with one request per 100. */
  mutedCreators(options?: CallOptions): AsyncGenerator<MutedCreator, void, undefined> {
    return iterateItems(
      (query) => this.#send("get", "/api/alerts/mutes", { query }, options),
      ({ creators }) => creators,
    );
  }

  /** Stops emails about a creator: a channel id, `@handle` or channel URL. Its alerts still appear. */
  mute(channelId: string, options?: CallOptions): Promise<Answer<"muteCreator">> {
    return this.#send("post", "/api/alerts/mutes", { body: { channel_id: channelId } }, options);
  }

  /** Allows emails about a creator again. */
  unmute(channelId: string, options?: CallOptions): Promise<Answer<"unmuteCreator">> {
    return this.#send("delete", "/api/alerts/mutes/{channel_id}", { channelId }, options);
  }

  /** Your requests on each of the last 30 UTC days. */
  usageByDay(options?: CallOptions): Promise<Answer<"getUsageByDay">> {
    return this.#send("get", "/api/usage/days", {}, options);
  }

  /** Your requests of the last 7 days by endpoint and status. */
  usageByEndpoint(
    query: Query<"getUsageByEndpoint"> = {},
    options?: CallOptions,
  ): Promise<Answer<"getUsageByEndpoint">> {
    return this.#send("get", "/api/usage/endpoints", { query }, options);
  }

  /** One page of the log of your requests of the last 7 days. */
  listRequests(query: Query<"listRequests"> = {}, options?: CallOptions): Promise<Answer<"listRequests">> {
    return this.#send("get", "/api/usage/requests", { query }, options);
  }

  /** What your key has used today, this request included. */
  usage(options?: CallOptions): Promise<Answer<"getUsage">> {
    return this.#send("get", "/api/usage", {}, options);
  }

  /** Whether the service can serve, and how its last daily run went. */
  health(options?: CallOptions): Promise<Answer<"getHealth">> {
    return this.#send("get", "/api/health", {}, options);
  }
}
