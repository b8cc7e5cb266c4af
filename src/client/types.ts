// Generated from the OpenAPI document by `npm run tools -- client:types`. Not to be edited.
export interface paths {
    "/api/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Creators of a niche, best score first
         * @description Reads an index that is refreshed at most once a day; `as_of` says when. A niche that cannot be searched now is queued: see `niche_status` and `expected_at`. Until then you get a similar niche. Always counts 1 request.
         */
        get: operations["discoverCreators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/niches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The map of niches with their creators
         * @description Common niches that the service has searched, in groups. `GET /api/discover` answers each at once; it takes any other niche too.
         */
        get: operations["listNiches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/creators/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A creator, also one you do not track
         * @description Returns what the service read within the last day, otherwise it uses one of your look-ups of the UTC day. Without one left it returns what is stored: see `counts_day`. `score_basis` is `profile` until someone tracks the creator.
         */
        get: operations["getCreator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Creators your key tracks, last tracked first
         * @description To mirror the list, read with `after`: in the order of channel ids, and you never miss or repeat a creator that stays tracked. Then `pagination.total` is the number of creators after that one.
         */
        get: operations["listTrackedCreators"];
        put?: never;
        /**
         * Track a creator, or up to 50 at once
         * @description The service takes a first snapshot at once. Safe to repeat: `tracked_since` stays that of the first time.
         *
         *     `channel_ids` tracks up to 50 channels. `results` has a `creator`, or a `code` and an `error`, for each `input` in the order you sent them: some can fail while others are tracked.
         *
         *     A custom URL (`/c/Name`, `/Name`) is refused with the handle it may belong to, unless you send `accept_guess: true`.
         *
         *     Each handle or user name uses one of your look-ups per UTC day (free 100, starter 500, pro 2,000). Channel ids use none.
         */
        post: operations["trackCreator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/track/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A creator your key tracks
         * @description Returns 404 when your key does not track the creator.
         */
        get: operations["getTrackedCreator"];
        put?: never;
        post?: never;
        /**
         * Untrack a creator
         * @description Its alerts stay. Returns 404 when your key does not track the creator, so also the second time.
         */
        delete: operations["untrackCreator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/track/{channel_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily snapshots of a creator since your key started tracking it
         * @description Oldest first. A day without a snapshot is absent.
         */
        get: operations["getCreatorHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The address that receives growth alerts
         * @description `delivery` says whether alerts are emailed to it, and `delivery_hint` what to do if not.
         */
        get: operations["getAlertEmail"];
        put?: never;
        /**
         * Set the address that receives growth alerts
         * @description Replaces any earlier address. Safe to repeat. An address that unsubscribed from this key's emails, marked one as spam or bounced gets a confirmation link first, at most one every 30 days, and alerts once it confirms.
         */
        post: operations["setAlertEmail"];
        /**
         * Clear the address that receives growth alerts
         * @description Safe to repeat. `GET /api/alerts` still lists new alerts.
         */
        delete: operations["clearAlertEmail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/mutes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Creators whose alerts come without emails
         * @description Muted through the API, in the console or by the link in an email.
         */
        get: operations["listMutes"];
        put?: never;
        /**
         * Stop emails about a creator
         * @description Its alerts still appear. Safe to repeat. 404 unless your key tracks the creator or has an alert of it.
         */
        post: operations["muteCreator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/mutes/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Allow emails about a creator again
         * @description Safe to repeat. Returns 404 unless your key tracks the creator, muted it or has an alert of it.
         */
        delete: operations["unmuteCreator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your alerts, newest first
         * @description To keep a copy, read with `after`: oldest first, and you never miss or repeat an alert, even while new ones are written. Then `pagination.total` is the number of alerts after that one.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changed for your key, oldest first
         * @description New alerts, their outcomes, creators that you tracked or untracked, and channels that became unavailable, available again or got a new name. Send `next_after` as `after` to continue: you never miss or repeat a change. Changes stay for 30 days: an older cursor returns 410 with `oldest_after`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your usage today, your limit and your totals
         * @description Counts as a request: the first of a day returns `requests_today: 1`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your requests on each of the last 30 UTC days
         * @description The requests that counted, oldest day first. Today's include this one.
         */
        get: operations["getUsageByDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your requests of the last 7 days by endpoint and status
         * @description Totals of the log of `GET /api/usage/requests`, also of requests refused with 429.
         */
        get: operations["getUsageByEndpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your requests of the last 7 days, newest first
         * @description Each request with its status and duration, also those refused with 429. A request appears about a second after its response. Send `next_before` as `before` to get the next page.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the service and its last daily run
         * @description Needs no key and counts no request. 200 whenever the service can serve: `run_overdue` reports a missed run.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the daily runs and incidents of the last 30 days
         * @description Needs no key and counts no request. The page `/status` shows the same, and `/api/status/badge.svg` is a badge for your own pages.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        DiscoverCreatorsAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description The requested niche */
            niche: string;
            /**
             * @description indexed: the niche's own creators. related: those of `related_niche` for now. queued: none yet
             * @enum {string}
             */
            niche_status: "indexed" | "related" | "queued";
            /** @description The similar niche shown instead; null unless related */
            related_niche: string | null;
            /**
             * Format: date-time
             * @description When the niche's own creators are expected; null when indexed
             */
            expected_at: string | null;
            /**
             * Format: date-time
             * @description When the niche was last searched; null without creators
             */
            as_of: string | null;
            /** @description What to do next, in one sentence */
            hint: string | null;
            pagination: components["schemas"]["Pagination"];
            /** @description Best first */
            creators: components["schemas"]["Creator"][];
        };
        /** @description In answers to the public sandbox key only */
        Sandbox: {
            /**
             * Format: date-time
             * @description The time in your session, which X-Test-Clock moves forward
             */
            clock: string;
            /**
             * Format: date-time
             * @description When the session and its data are deleted, in real time
             */
            ends_at: string;
            /** @description What to do next, and that no emails are sent */
            note: string;
            /** @description With alerts only: the emails that would have been sent */
            mails?: components["schemas"]["SandboxMail"][];
        };
        /** @description An email that would have been sent */
        SandboxMail: {
            /**
             * Format: uuid
             * @description The alert of this page that the email is about
             */
            alert_id: string;
            /**
             * Format: email
             * @description The alert address at the time of the alert
             */
            to: string;
            /** @description Subject of the email */
            subject: string;
        };
        Pagination: {
            /** @description Total number of results */
            total: number;
            /** @description Number skipped */
            offset: number;
            /** @description Page size applied */
            limit: number;
            /** @description True when there are more results: add `limit` to `offset` */
            has_more: boolean;
        };
        Creator: {
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /** @description Name of the channel; its id until it was read */
            name: string;
            /** @description Handle of the channel with its @; null when it has none */
            handle: string | null;
            /**
             * Format: uri
             * @description The channel's page on the platform
             */
            url: string;
            /**
             * Format: uri
             * @description The channel's picture; null without one
             */
            thumbnail_url: string | null;
            /** @description ISO 3166-1 alpha-2, null when not stated */
            country: string | null;
            /**
             * @description unavailable when the platform no longer shows the channel
             * @enum {string}
             */
            status: "active" | "unavailable";
            /**
             * @description known; hidden by the channel; or unread: not measured yet
             * @enum {string}
             */
            counts: "known" | "hidden" | "unread";
            /** @description Null unless counts is known */
            subscribers: number | null;
            /** @description Null when the platform does not show it */
            views: number | null;
            /** @description Null when the platform does not show it */
            videos: number | null;
            /** @description Growth score, calculated by this service, not by the platform. Null unless counts is known */
            score: number | null;
            /**
             * @description history: measured growth. profile: total views, no growth yet
             * @enum {string}
             */
            score_basis: "history" | "profile";
            /** @description Changes whenever the same snapshots would give another score */
            score_version: number;
            /**
             * @description Derived from the score; STABLE without one
             * @enum {string}
             */
            alert_level: "HIGH_GROWTH" | "RISING" | "WATCH" | "STABLE";
            /** @description Percent of channels of the same size with a lower score; null without history or enough channels */
            percentile: number | null;
            /** @description Chance of growing 5% or more within 7 days, calculated by this service. Null without measured growth or when it is not up to date, and below 100 subscribers */
            chance_7d: number | null;
            /** @description Chance of growing 20% or more within 28 days, calculated by this service. Null without measured growth or when it is not up to date, and below 100 subscribers */
            chance_28d: number | null;
            /** @description Likely growth in 7 days: 8 in 10 similar creators end inside. Null without measured growth or when it is not up to date */
            expected_7d: components["schemas"]["ExpectedGrowth"];
            /** @description Likely growth in 28 days: 8 in 10 similar creators end inside. Null without measured growth or when it is not up to date */
            expected_28d: components["schemas"]["ExpectedGrowth"];
            /** @description Why it has this score, in one sentence. Null without measured growth or when it is not up to date */
            reason: string | null;
            /** @description Null when unknown or not up to date */
            growth_1d_percent: number | null;
            /** @description Null when unknown or not up to date */
            growth_7d_percent: number | null;
        };
        /** @description A likely growth; null when unknown */
        ExpectedGrowth: {
            /** @description Lower end in percent */
            low: number;
            /** @description Upper end in percent */
            high: number;
        } | null;
        ListNichesAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description Groups with creators, in a fixed order */
            groups: components["schemas"]["NicheGroup"][];
        };
        /** @description A group of niches */
        NicheGroup: {
            /** @description Name of the group */
            name: string;
            /** @description Niches with creators */
            niches: components["schemas"]["NicheCount"][];
        };
        /** @description A niche with its creators */
        NicheCount: {
            /** @description Send it as `niche` to GET /api/discover */
            niche: string;
            /** @description Creators of the niche */
            creators: number;
            /** @description Creators that `rising=true` returns */
            rising: number;
        };
        GetCreatorAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            creator: components["schemas"]["Creator"];
            /** @description Whether your key tracks the creator */
            is_tracked: boolean;
            /**
             * Format: date
             * @description UTC day on which the platform showed these counts
             */
            counts_day: string | null;
        };
        /** @description Send channel_id or channel_ids */
        TrackCreatorInput: {
            /** @description A channel id, an @handle, or any address of a channel on the platform */
            channel_id?: string;
            /** @description 1 to 50 channels in any of these forms, instead of channel_id */
            channel_ids?: string[];
            /** @description Whether to resolve a custom URL by its name, although that is a guess */
            accept_guess?: boolean;
        };
        TrackCreatorAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description What was done, in one sentence */
            message: string;
            /** @description The creator of channel_id */
            creator?: components["schemas"]["TrackedCreator"];
            /** @description One for each of channel_ids, in the same order */
            results?: components["schemas"]["TrackResult"][];
            /** @description The custom URL whose name was taken for a handle */
            resolved_from?: string;
            /**
             * @description false for a guess: the custom URL may belong to another channel
             * @constant
             */
            certain?: false;
        };
        TrackedCreator: {
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /** @description Name of the channel; its id until it was read */
            name: string;
            /** @description Handle of the channel with its @; null when it has none */
            handle: string | null;
            /**
             * Format: uri
             * @description The channel's page on the platform
             */
            url: string;
            /**
             * Format: uri
             * @description The channel's picture; null without one
             */
            thumbnail_url: string | null;
            /** @description ISO 3166-1 alpha-2, null when not stated */
            country: string | null;
            /**
             * @description unavailable when the platform no longer shows the channel
             * @enum {string}
             */
            status: "active" | "unavailable";
            /**
             * @description known; hidden by the channel; or unread: not measured yet
             * @enum {string}
             */
            counts: "known" | "hidden" | "unread";
            /** @description Null unless counts is known */
            subscribers: number | null;
            /** @description Null when the platform does not show it */
            views: number | null;
            /** @description Null when the platform does not show it */
            videos: number | null;
            /** @description Growth score, calculated by this service, not by the platform. Null unless counts is known */
            score: number | null;
            /**
             * @description history: measured growth. profile: total views, no growth yet
             * @enum {string}
             */
            score_basis: "history" | "profile";
            /** @description Changes whenever the same snapshots would give another score */
            score_version: number;
            /**
             * @description Derived from the score; STABLE without one
             * @enum {string}
             */
            alert_level: "HIGH_GROWTH" | "RISING" | "WATCH" | "STABLE";
            /** @description Percent of channels of the same size with a lower score; null without history or enough channels */
            percentile: number | null;
            /** @description Chance of growing 5% or more within 7 days, calculated by this service. Null without measured growth or when it is not up to date, and below 100 subscribers */
            chance_7d: number | null;
            /** @description Chance of growing 20% or more within 28 days, calculated by this service. Null without measured growth or when it is not up to date, and below 100 subscribers */
            chance_28d: number | null;
            /** @description Likely growth in 7 days: 8 in 10 similar creators end inside. Null without measured growth or when it is not up to date */
            expected_7d: components["schemas"]["ExpectedGrowth"];
            /** @description Likely growth in 28 days: 8 in 10 similar creators end inside. Null without measured growth or when it is not up to date */
            expected_28d: components["schemas"]["ExpectedGrowth"];
            /** @description Why it has this score, in one sentence. Null without measured growth or when it is not up to date */
            reason: string | null;
            /** @description Null when unknown or not up to date */
            growth_1d_percent: number | null;
            /** @description Null when unknown or not up to date */
            growth_7d_percent: number | null;
            /**
             * Format: date-time
             * @description When this key began tracking it
             */
            tracked_since: string;
            /**
             * Format: date-time
             * @description When the daily run of its snapshot started; null before the first
             */
            last_snapshot_at: string | null;
        };
        /** @description One channel of a list: a creator, or a code and an error */
        TrackResult: {
            /** @description The text you sent */
            input: string;
            /** @description The tracked creator; absent when the channel is not tracked */
            creator?: components["schemas"]["TrackedCreator"];
            /**
             * @description The cause, for programs. `/docs/errors` says what to do for each
             * @enum {string}
             */
            code?: "not_a_channel" | "guess" | "not_found" | "lookups_used_up" | "unavailable";
            /** @description Why this channel is not tracked */
            error?: string;
            /** @description The custom URL whose name was taken for a handle */
            resolved_from?: string;
            /**
             * @description false for a guess: the custom URL may belong to another channel
             * @constant
             */
            certain?: false;
            /** @description For a custom URL: the handle to send when it is the right one */
            resolved_to?: string;
        };
        ListTrackedCreatorsAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            pagination: components["schemas"]["Pagination"];
            /** @description Last tracked first */
            creators: components["schemas"]["TrackedCreator"][];
            /** @description Send it as `after` while `pagination.has_more`; null without `after` */
            next_after: string | null;
        };
        GetTrackedCreatorAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            creator: components["schemas"]["TrackedCreator"];
        };
        UntrackCreatorAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description What was done, in one sentence */
            message: string;
            /** @description Identifier of the creator's channel */
            channel_id: string;
        };
        GetCreatorHistoryAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /** @description Oldest first; a day without a snapshot is absent */
            history: components["schemas"]["Snapshot"][];
        };
        Snapshot: {
            /**
             * Format: date
             * @description UTC day
             */
            day: string;
            /** @description Null when the channel hid its count */
            subscribers: number | null;
            /** @description Null when the platform does not show it */
            views: number | null;
            /** @description Null when the platform does not show it */
            videos: number | null;
        };
        SetAlertEmailInput: {
            /**
             * Format: email
             * @description The address that receives growth alerts
             */
            email: string;
        };
        SetAlertEmailAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description When emails will be sent to the address */
            message: string;
            /**
             * Format: email
             * @description The address as it is set
             */
            email: string;
            /**
             * @description active: alerts are emailed. refused: the last email did not arrive. unconfirmed: not before the address confirms by the link we emailed. unsubscribed, bounced, complained: not emailed for this reason. Null without an address
             * @enum {string|null}
             */
            delivery: "active" | "refused" | "unconfirmed" | "unsubscribed" | "bounced" | "complained" | null;
            /**
             * Format: date-time
             * @description Since when, UTC; null where delivery is
             */
            delivery_since: string | null;
            /** @description What to do so that alerts are emailed; null when nothing is to do */
            delivery_hint: string | null;
        };
        GetAlertEmailAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /**
             * @description active: alerts are emailed. refused: the last email did not arrive. unconfirmed: not before the address confirms by the link we emailed. unsubscribed, bounced, complained: not emailed for this reason. Null without an address
             * @enum {string|null}
             */
            delivery: "active" | "refused" | "unconfirmed" | "unsubscribed" | "bounced" | "complained" | null;
            /**
             * Format: date-time
             * @description Since when, UTC; null where delivery is
             */
            delivery_since: string | null;
            /** @description What to do so that alerts are emailed; null when nothing is to do */
            delivery_hint: string | null;
            /**
             * Format: email
             * @description Null when no address is set
             */
            email: string | null;
        };
        ClearAlertEmailAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description That no more emails are sent */
            message: string;
            /** @description Always null */
            email: string | null;
        };
        ListMutesAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            pagination: components["schemas"]["Pagination"];
            /** @description In the order of their names */
            creators: components["schemas"]["MutedCreator"][];
        };
        /** @description A creator whose alerts come without emails */
        MutedCreator: {
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /** @description Name of the channel */
            name: string;
            /**
             * Format: date-time
             * @description When your key muted it, UTC
             */
            muted_at: string;
        };
        MuteCreatorInput: {
            /** @description A channel id, an @handle, or a channel URL with one of them */
            channel_id: string;
        };
        MuteCreatorAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description What was done, in one sentence */
            message: string;
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /** @description Whether emails about the creator are stopped */
            is_muted: boolean;
        };
        UnmuteCreatorAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description What was done, in one sentence */
            message: string;
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /** @description Whether emails about the creator are stopped */
            is_muted: boolean;
        };
        ListAlertsAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            pagination: components["schemas"]["Pagination"];
            /** @description Newest first; with `after`, oldest first */
            alerts: components["schemas"]["Alert"][];
            /** @description Send it as `after` next time, even without alerts; null without `after` */
            next_after: string | null;
        };
        /** @description Growth of a tracked creator of more than 10% in one day */
        Alert: {
            /**
             * Format: uuid
             * @description Identifier of the alert; send it as `after` to read the alerts after it
             */
            id: string;
            /**
             * Format: date
             * @description UTC day of the later snapshot
             */
            day: string;
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /**
             * @description The only type
             * @constant
             */
            alert_type: "HIGH_GROWTH";
            /** @description <creator name> grew <percent>% in one day (<before> → <after>) */
            message: string;
            /**
             * Format: date-time
             * @description When the alert was created, UTC
             */
            created_at: string;
            /** @description Growth of the day in percent, never rounded up to a threshold: 14.99 is 14.9 */
            percent: number;
            /** @description Subscribers on the day before */
            subscribers_before: number;
            /** @description Subscribers on the day */
            subscribers_after: number;
            /** @description Lowest true growth in percent that the platform's rounding allows */
            growth_low: number;
            /** @description Highest true growth in percent that the platform's rounding allows */
            growth_high: number;
            /** @description Whether even growth_low is above 10%, after a day on which the count moved */
            certain: boolean;
            /**
             * @description By the growth of the day, strongest first
             * @enum {string}
             */
            severity: "EXPLOSIVE" | "SURGING" | "RISING FAST" | "WATCH";
            /**
             * Format: uri
             * @description The channel's page on the platform
             */
            channel_url: string;
            /**
             * @description sustained: it was growing by 5% a week. single_day: it was not. recovery: back at a count of the 28 days before. too_early: fewer than 7 days of snapshots
             * @enum {string|null}
             */
            label: "sustained" | "single_day" | "recovery" | "too_early" | null;
            /** @description Why it has this label and this chance */
            reason: string | null;
            /** @description What the rise likely came from, by the channel's newest videos */
            cause: components["schemas"]["AlertCause"];
            /** @description Share of similar alerts that were graded held after 7 days; null for older alerts */
            held_chance: number | null;
            /**
             * @description The later clear grade of those after 7 and 28 days. held: it gained half of the day's gain again within 7 days, or all of it within 28. faded: less. unclear: snapshots are missing or counts too rounded. Null before the first
             * @enum {string|null}
             */
            outcome: "held" | "faded" | "unclear" | null;
        };
        /** @description A video that may have caused the rise */
        CauseVideo: {
            /** @description Identifier on the platform; it stays with the alert, as does url */
            video_id: string;
            /** @description As its owner wrote it; null after 30 days, like all below but url */
            title: string | null;
            /**
             * Format: uri
             * @description The video on the platform
             */
            url: string;
            /**
             * Format: uri
             * @description A picture of the video; null where the platform shows none
             */
            thumbnail_url: string | null;
            /**
             * Format: date-time
             * @description When it was published or, for a stream, went on air, UTC
             */
            published_at: string | null;
            /** @description Views when the cause was read */
            views: number | null;
            /** @description Views that videos of this channel usually have at that age */
            usual_views: number | null;
            /** @description views divided by usual_views, computed by this service */
            times_usual: number | null;
            /** @description Up to 3 minutes long, which the platform shows as a Short */
            is_short: boolean | null;
        };
        AlertCause: {
            /**
             * @description video: one stands out. several: more than one. no_new_video: none. unknown: not read. pending: not yet
             * @enum {string}
             */
            kind: "video" | "several" | "no_new_video" | "unknown" | "pending";
            /** @description The likely cause in a sentence, or why there is none */
            text: string;
            /**
             * Format: date-time
             * @description When the videos were read, UTC; null while pending
             */
            read_at: string | null;
            /** @description The videos of video and several, the one with the most unusual views first */
            videos: components["schemas"]["CauseVideo"][];
        };
        ListChangesAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description Oldest first */
            changes: components["schemas"]["Change"][];
            /** @description Send it as `after` in your next request, also when there are no changes */
            next_after: string;
            /** @description True when there are more changes now */
            has_more: boolean;
        };
        /** @description A change of an alert or a creator of your key */
        Change: {
            /**
             * @description What happened. The guide Keep a copy explains each type
             * @enum {string}
             */
            type: "alert_created" | "outcome_7d" | "outcome_28d" | "tracked" | "untracked" | "unavailable" | "available" | "renamed";
            /** @description Send it as `after` to continue after this change */
            cursor: string;
            /**
             * Format: date-time
             * @description When it happened, UTC
             */
            at: string;
            /** @description Identifier of the creator's channel */
            channel_id: string;
            /** @description The new name; null unless renamed */
            name: string | null;
            /** @description The alert as it is now; null unless the type is alert_created, outcome_7d or outcome_28d */
            alert: {
                /**
                 * Format: uuid
                 * @description Identifier of the alert; send it as `after` to read the alerts after it
                 */
                id: string;
                /**
                 * Format: date
                 * @description UTC day of the later snapshot
                 */
                day: string;
                /** @description Identifier of the creator's channel */
                channel_id: string;
                /**
                 * @description The only type
                 * @constant
                 */
                alert_type: "HIGH_GROWTH";
                /** @description <creator name> grew <percent>% in one day (<before> → <after>) */
                message: string;
                /**
                 * Format: date-time
                 * @description When the alert was created, UTC
                 */
                created_at: string;
                /** @description Growth of the day in percent, never rounded up to a threshold: 14.99 is 14.9 */
                percent: number;
                /** @description Subscribers on the day before */
                subscribers_before: number;
                /** @description Subscribers on the day */
                subscribers_after: number;
                /** @description Lowest true growth in percent that the platform's rounding allows */
                growth_low: number;
                /** @description Highest true growth in percent that the platform's rounding allows */
                growth_high: number;
                /** @description Whether even growth_low is above 10%, after a day on which the count moved */
                certain: boolean;
                /**
                 * @description By the growth of the day, strongest first
                 * @enum {string}
                 */
                severity: "EXPLOSIVE" | "SURGING" | "RISING FAST" | "WATCH";
                /**
                 * Format: uri
                 * @description The channel's page on the platform
                 */
                channel_url: string;
                /**
                 * @description sustained: it was growing by 5% a week. single_day: it was not. recovery: back at a count of the 28 days before. too_early: fewer than 7 days of snapshots
                 * @enum {string|null}
                 */
                label: "sustained" | "single_day" | "recovery" | "too_early" | null;
                /** @description Why it has this label and this chance */
                reason: string | null;
                /** @description What the rise likely came from, by the channel's newest videos */
                cause: components["schemas"]["AlertCause"];
                /** @description Share of similar alerts that were graded held after 7 days; null for older alerts */
                held_chance: number | null;
                /**
                 * @description The later clear grade of those after 7 and 28 days. held: it gained half of the day's gain again within 7 days, or all of it within 28. faded: less. unclear: snapshots are missing or counts too rounded. Null before the first
                 * @enum {string|null}
                 */
                outcome: "held" | "faded" | "unclear" | null;
            } | null;
        };
        GetUsageAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /**
             * @description Tier of your key
             * @enum {string}
             */
            tier: "free" | "starter" | "pro";
            /** @description Requests counted today (UTC), including this one */
            requests_today: number;
            /** @description Daily limit of your tier */
            requests_limit: number;
            /** @description Creators your key tracks */
            creators_tracked: number;
            /** @description Alerts of your key */
            alerts_count: number;
            /** @description New niches searched for this key today (UTC) */
            new_niches_today: number;
            /** @description New niches your tier can search per UTC day. Further ones are queued */
            new_niches_limit: number;
            /** @description Daily limit of each tier: free 50, starter 500, pro 2,000 */
            tier_limits: {
                /** @description Requests per UTC day */
                free: number;
                /** @description Requests per UTC day */
                starter: number;
                /** @description Requests per UTC day */
                pro: number;
            };
        };
        GetUsageByDayAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description The last 30 UTC days, oldest first; a day without requests has 0 */
            days: components["schemas"]["UsageDay"][];
        };
        /** @description Requests of a day */
        UsageDay: {
            /**
             * Format: date
             * @description UTC day
             */
            day: string;
            /** @description Requests counted */
            requests: number;
        };
        GetUsageByEndpointAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description The most frequent first */
            endpoints: components["schemas"]["EndpointUsage"][];
        };
        /** @description Requests of an endpoint with the same status */
        EndpointUsage: {
            /** @description Method of the request */
            method: string;
            /** @description Path as documented; `unknown` for a path that the API does not have */
            endpoint: string;
            /** @description Status of the response */
            status: number;
            /** @description Requests with this status */
            requests: number;
        };
        ListRequestsAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            sandbox?: components["schemas"]["Sandbox"];
            /** @description Newest first */
            requests: components["schemas"]["LoggedRequest"][];
            /** @description Send it as `before` to get the next page; null on the last */
            next_before: string | null;
        };
        /** @description A request of your key */
        LoggedRequest: {
            /** @description The X-Request-Id of its response */
            request_id: string;
            /**
             * Format: date-time
             * @description When the request arrived
             */
            at: string;
            /** @description Method of the request */
            method: string;
            /** @description Path, without keys and cut to 300 characters */
            path: string;
            /** @description Query string of the documented parameters, without its question mark */
            query: string;
            /** @description Status of the response */
            status: number;
            /** @description Duration at the service */
            milliseconds: number;
        };
        GetHealthAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            /**
             * @description Always ok: without the database the answer is 503
             * @constant
             */
            database: "ok";
            /** @description True when the platform is simulated */
            sample_data: boolean;
            /** @description The latest daily run; null before the first */
            last_run: components["schemas"]["RunSummary"] | null;
            /** @description True when today's run, due at 06:00 UTC, has not started, or has read under 95% of its channels half an hour after its start */
            run_overdue: boolean;
            /** @description Share of channels that the run read or found unavailable */
            coverage: number | null;
            /** @description Calls used of the platform's daily quota; null without a quota */
            platform_units: components["schemas"]["PlatformUnits"][] | null;
        };
        RunSummary: {
            /**
             * Format: date
             * @description UTC day
             */
            day: string;
            /**
             * Format: date-time
             * @description When it started, UTC
             */
            started_at: string;
            /**
             * Format: date-time
             * @description Null while it is running
             */
            finished_at: string | null;
            /** @description Channels to read */
            planned: number;
            /** @description Channels read */
            read: number;
            /** @description Channels the platform does not show */
            unavailable: number;
            /** @description Channels that could not be read */
            failed: number;
            /** @description Alerts created, of all keys */
            alerts: number;
        };
        /** @description Calls of one daily quota of the platform */
        PlatformUnits: {
            /**
             * @description search: searches. general: all other calls
             * @enum {string}
             */
            bucket: "search" | "general";
            /** @description Calls used today */
            used: number;
            /** @description Calls allowed per day */
            limit: number;
            /** @description True when the platform reports its quota as exceeded */
            exhausted: boolean;
            /**
             * Format: date-time
             * @description When the platform's day ends, UTC
             */
            resets_at: string;
        };
        GetStatusAnswer: {
            /**
             * @description Always ok
             * @constant
             */
            status: "ok";
            /** @description True when today's run, due at 06:00 UTC, has not started, or has read under 95% of its channels half an hour after its start */
            run_overdue: boolean;
            /**
             * Format: date-time
             * @description When the next daily run is due, UTC
             */
            next_run_at: string;
            /** @description Daily runs of the last 30 days, newest first */
            runs: components["schemas"]["Run"][];
            /** @description Incidents of the last 30 days, newest first */
            incidents: components["schemas"]["Incident"][];
        };
        /** @description A daily run */
        Run: {
            /**
             * Format: date
             * @description UTC day
             */
            day: string;
            /**
             * Format: date-time
             * @description When it started, UTC
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it finished, UTC; null while it is running
             */
            finished_at: string | null;
            /** @description Seconds from 06:00 UTC to its start */
            delay_seconds: number;
            /** @description Seconds from start to finish; null while it is running */
            duration_seconds: number | null;
            /** @description Share of channels that it read or found unavailable; null without channels */
            coverage: number | null;
        };
        /** @description A daily run that was missed, late, incomplete or failed */
        Incident: {
            /**
             * Format: date
             * @description UTC day of the daily run
             */
            day: string;
            /** @description What the run monitor found */
            problem: string;
            /**
             * Format: date-time
             * @description When it was found, UTC
             */
            noted_at: string;
        };
        /** @description An error of a parameter or field */
        InvalidFailure: {
            /** @description What is wrong, for a person to read */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description Each parameter or field that is wrong */
            issues: components["schemas"]["Issue"][];
            /** @description The custom URL whose name was taken for a handle */
            resolved_from?: string;
            /**
             * @description false for a guess: the custom URL may belong to another channel
             * @constant
             */
            certain?: false;
            /** @description For a custom URL: the handle to send when it is the right one */
            resolved_to?: string;
        };
        /**
         * @description The cause, for programs. `/docs/errors` says what to do for each
         * @enum {string}
         */
        ErrorCode: "invalid_request" | "invalid_body" | "invalid_http" | "not_a_channel" | "guess" | "lookups_used_up" | "forbidden" | "not_found" | "not_tracked" | "cursor_not_found" | "list_not_found" | "path_not_found" | "method_not_allowed" | "cursor_expired" | "payload_too_large" | "unsupported_media_type" | "sandbox_limit" | "internal" | "unavailable" | "busy" | "sandbox_busy";
        /** @description A parameter or field that is wrong */
        Issue: {
            /** @description Name of the parameter or field; `body` for the whole body */
            field: string;
            /** @description What it must be */
            message: string;
        };
        /** @description The error of a key that is not valid */
        KeyFailure: {
            /**
             * @description Always the same
             * @constant
             */
            error: "Invalid API key";
        };
        /** @description An error */
        Failure: {
            /** @description What is wrong, for a person to read */
            error: string;
            code: components["schemas"]["ErrorCode"];
        };
        /** @description The error of a cursor that is too old */
        ExpiredFailure: {
            /** @description What is wrong, for a person to read */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description The cursor of the oldest change that is still kept */
            oldest_after: string;
        };
        /** @description `tier`, `limit`, `used` and `resets_at` when the quota is used up; `code` in the sandbox only */
        QuotaFailure: {
            /** @description "Daily rate limit reached", or why your address must wait in the sandbox */
            error: string;
            /**
             * @description Tier of your key
             * @enum {string}
             */
            tier?: "free" | "starter" | "pro";
            /** @description Daily requests of the tier */
            limit?: number;
            /** @description Requests counted today */
            used?: number;
            /** @description When the count starts again: midnight UTC */
            resets_at?: string;
            code?: components["schemas"]["ErrorCode"];
        };
    };
    responses: {
        /** @description A parameter or field is invalid. `issues` lists each one and its allowed values. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "limit is 500; it must be 1 to 100",
                 *       "code": "invalid_request",
                 *       "issues": [
                 *         {
                 *           "field": "limit",
                 *           "message": "must be 1 to 100"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["InvalidFailure"];
            };
        };
        /** @description The key is missing, mistyped, unknown or revoked. The response is the same in each case. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid API key"
                 *     }
                 */
                "application/json": components["schemas"]["KeyFailure"];
            };
        };
        /** @description The resource does not exist or belongs to another key. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Your key does not track this creator",
                 *       "code": "not_tracked"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The path does not support the method. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Method not allowed. Use GET.",
                 *       "code": "method_not_allowed"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The changes after your cursor are older than 30 days and no longer kept. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The changes after this cursor have expired; changes are kept for 30 days. Read GET /api/track and GET /api/alerts again, then continue with oldest_after.",
                 *       "code": "cursor_expired",
                 *       "oldest_after": "MC5mM0hYa1VaQ0Nq"
                 *     }
                 */
                "application/json": components["schemas"]["ExpiredFailure"];
            };
        };
        /** @description The body is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body must not exceed 16 KiB",
                 *       "code": "payload_too_large"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The `Content-Type` is not JSON, or names a charset other than UTF-8. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Content-Type must be application/json in UTF-8",
                 *       "code": "unsupported_media_type"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Your key has used all its requests for today (UTC). The refused request does not count. In the sandbox, 429 can also mean too many requests from your address this hour; the body then has only `error` and `code`. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Daily rate limit reached",
                 *       "tier": "free",
                 *       "limit": 50,
                 *       "used": 50,
                 *       "resets_at": "midnight UTC"
                 *     }
                 */
                "application/json": components["schemas"]["QuotaFailure"];
            };
        };
        /** @description An unexpected error. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Something went wrong. Report the X-Request-Id to the operator.",
                 *       "code": "internal"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The video platform or the database is unavailable, or the service is busy or starting. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Sandbox": components["headers"]["X-Sandbox"];
                "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                Link: components["headers"]["Link"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The video platform is unavailable. Try again later.",
                 *       "code": "unavailable"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /**
         * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
         * @example true
         */
        strict: boolean;
        /**
         * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
         * @example 2030-01-01T12:00:00Z
         */
        "X-Test-Clock": string;
        /**
         * @description Sandbox only: a name for a separate session; without it, your address has one session
         * @example ci-4711
         */
        "X-Sandbox-Session": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Sandbox only: the time in your session, and when it is deleted in real time
         * @example clock=2030-01-01T12:00:00.000Z; ends=2026-11-26T10:00:00.000Z
         */
        "X-Sandbox": string;
        /**
         * @description Query parameters that the endpoint does not have, percent-encoded
         * @example lmit, page
         */
        "X-Ignored-Parameters": string;
        /**
         * @description Names this answer. Send it as `If-None-Match` to get 304 without a body while nothing has changed
         * @example "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
         */
        ETag: string;
        /**
         * @description Names this request in the service's log. Send your own id and you get it back.
         * @example req_5f0c1a9be27d43f6a1c2d3e4
         */
        "X-Request-Id": string;
        /**
         * @description How long you may keep the answer: see the guide Caching
         * @example private, no-cache
         */
        "Cache-Control": string;
        /**
         * @description Requests per UTC day of the key
         * @example 500
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left today
         * @example 463
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Tier of the key
         * @example starter
         */
        "X-RateLimit-Tier": "free" | "starter" | "pro";
        /**
         * @description The limit in the standard form: `q` requests in `w` seconds
         * @example "daily";q=500;w=86400
         */
        "RateLimit-Policy": string;
        /**
         * @description The standard form: `r` requests left, resets in `t` seconds
         * @example "daily";r=463;t=41230
         */
        RateLimit: string;
        /**
         * @description Seconds after which the request may succeed; after 429, the seconds until midnight UTC
         * @example 41230
         */
        "Retry-After": number;
        /**
         * @description The section of the guides that explains the error
         * @example <https://growth.example/docs/errors#invalid_request>; rel="help"
         */
        Link: string;
        /**
         * @description The header that takes the key
         * @example ApiKey header="X-API-Key"
         */
        "WWW-Authenticate": string;
        /**
         * @description The methods that the path supports
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description After a rotation with overlap: when the key that you sent stops working. Absent for the new key
         * @example 2026-11-27T09:00:00.000Z
         */
        "X-Key-Expires": string;
        /**
         * @description Endpoints that will be removed only: since when they should not be used, in seconds since 1970 (RFC 9745)
         * @example @1767225600
         */
        Deprecation: string;
        /**
         * @description Endpoints that will be removed only: when they stop working (RFC 8594)
         * @example Wed, 01 Apr 2026 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description With format=csv: rows that match the filter
         * @example 2
         */
        "X-Total-Rows": number;
        /**
         * @description With format=csv: true when the file has only the first 10,000 rows
         * @example false
         */
        "X-Truncated": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    discoverCreators: {
        parameters: {
            query: {
                /**
                 * @description A topic category. Case, spaces, hyphens and plurals make no difference
                 * @example gaming
                 */
                niche: string;
                /** @description Number of creators to skip */
                offset?: number;
                /**
                 * @description Maximum creators to return
                 * @example 5
                 */
                limit?: number;
                /** @description Highest first. Creators with measured growth come before those without */
                sort?: "score" | "growth_7d" | "subscribers";
                /** @description true: only creators with measured growth at WATCH or above */
                rising?: "true" | "false";
                /** @description ISO 3166-1 alpha-2. Leaves out creators with another country or none */
                country?: string;
                /** @description Leaves out smaller channels. At most `max_subscribers` */
                min_subscribers?: number;
                /** @description Leaves out larger channels. At least `min_subscribers` */
                max_subscribers?: number;
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "niche": "gaming",
                     *       "niche_status": "indexed",
                     *       "related_niche": null,
                     *       "expected_at": null,
                     *       "as_of": "2026-11-19T08:30:12.407Z",
                     *       "hint": null,
                     *       "pagination": {
                     *         "total": 17,
                     *         "offset": 0,
                     *         "limit": 5,
                     *         "has_more": true
                     *       },
                     *       "creators": [
                     *         {
                     *           "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "name": "Juniper Fivecrits",
                     *           "handle": "@juniperfivecrits",
                     *           "url": "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "thumbnail_url": null,
                     *           "country": "CA",
                     *           "status": "active",
                     *           "counts": "known",
                     *           "subscribers": 640,
                     *           "views": 24310,
                     *           "videos": 18,
                     *           "score": 54,
                     *           "score_basis": "history",
                     *           "score_version": 5,
                     *           "alert_level": "RISING",
                     *           "percentile": null,
                     *           "chance_7d": 0.147,
                     *           "chance_28d": 0.15,
                     *           "expected_7d": {
                     *             "low": 0.6,
                     *             "high": 6.8
                     *           },
                     *           "expected_28d": {
                     *             "low": 1.9,
                     *             "high": 24.5
                     *           },
                     *           "reason": "Speeding up, each of the last two weeks faster",
                     *           "growth_1d_percent": 1.7,
                     *           "growth_7d_percent": 10.7
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DiscoverCreatorsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNiches: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "groups": [
                     *         {
                     *           "name": "Games & fun",
                     *           "niches": [
                     *             {
                     *               "niche": "gaming",
                     *               "creators": 17,
                     *               "rising": 3
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListNichesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreator: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path: {
                /**
                 * @description A channel id, an @handle in any case, or a percent-encoded channel URL with one of them
                 * @example UCY8vMFsho8bt_uH0G7KX-bg
                 */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "creator": {
                     *         "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *         "name": "Juniper Fivecrits",
                     *         "handle": "@juniperfivecrits",
                     *         "url": "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
                     *         "thumbnail_url": null,
                     *         "country": "CA",
                     *         "status": "active",
                     *         "counts": "known",
                     *         "subscribers": 640,
                     *         "views": 24310,
                     *         "videos": 18,
                     *         "score": 54,
                     *         "score_basis": "history",
                     *         "score_version": 5,
                     *         "alert_level": "RISING",
                     *         "percentile": null,
                     *         "chance_7d": 0.147,
                     *         "chance_28d": 0.15,
                     *         "expected_7d": {
                     *           "low": 0.6,
                     *           "high": 6.8
                     *         },
                     *         "expected_28d": {
                     *           "low": 1.9,
                     *           "high": 24.5
                     *         },
                     *         "reason": "Speeding up, each of the last two weeks faster",
                     *         "growth_1d_percent": 1.7,
                     *         "growth_7d_percent": 10.7
                     *       },
                     *       "is_tracked": true,
                     *       "counts_day": "2026-11-19"
                     *     }
                     */
                    "application/json": components["schemas"]["GetCreatorAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTrackedCreators: {
        parameters: {
            query?: {
                /** @description Number of results to skip (0). Not with `after` */
                offset?: number;
                /**
                 * @description Maximum results
                 * @example 20
                 */
                limit?: number;
                /** @description Reads in the order of channel ids, so that no creator is missed or repeated. Empty to start */
                after?: string;
                /**
                 * @description One of name, subscribers, growth_1d, growth_7d, score, tracked_since, with `-` in front for the largest first; unknown values last. `-tracked_since` when left out. Not with `after`
                 * @example -score
                 */
                sort?: string;
                /** @description Only creators of this alert_level */
                level?: "HIGH_GROWTH" | "RISING" | "WATCH" | "STABLE";
                /** @description Only creators with this status */
                status?: "active" | "unavailable";
                /** @description Only creators of your list with this name, in any case. Lists are made in the console */
                list?: string;
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "pagination": {
                     *         "total": 1,
                     *         "offset": 0,
                     *         "limit": 20,
                     *         "has_more": false
                     *       },
                     *       "creators": [
                     *         {
                     *           "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "name": "Juniper Fivecrits",
                     *           "handle": "@juniperfivecrits",
                     *           "url": "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "thumbnail_url": null,
                     *           "country": "CA",
                     *           "status": "active",
                     *           "counts": "known",
                     *           "subscribers": 640,
                     *           "views": 24310,
                     *           "videos": 18,
                     *           "score": 54,
                     *           "score_basis": "history",
                     *           "score_version": 5,
                     *           "alert_level": "RISING",
                     *           "percentile": null,
                     *           "chance_7d": 0.147,
                     *           "chance_28d": 0.15,
                     *           "expected_7d": {
                     *             "low": 0.6,
                     *             "high": 6.8
                     *           },
                     *           "expected_28d": {
                     *             "low": 1.9,
                     *             "high": 24.5
                     *           },
                     *           "reason": "Speeding up, each of the last two weeks faster",
                     *           "growth_1d_percent": 1.7,
                     *           "growth_7d_percent": 10.7,
                     *           "tracked_since": "2026-11-12T09:14:27.031Z",
                     *           "last_snapshot_at": "2026-11-19T06:00:00.374Z"
                     *         }
                     *       ],
                     *       "next_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListTrackedCreatorsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    trackCreator: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel_id": "@juniperfivecrits"
                 *     }
                 */
                "application/json": components["schemas"]["TrackCreatorInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "message": "Now tracking Juniper Fivecrits",
                     *       "creator": {
                     *         "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *         "name": "Juniper Fivecrits",
                     *         "handle": "@juniperfivecrits",
                     *         "url": "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
                     *         "thumbnail_url": null,
                     *         "country": "CA",
                     *         "status": "active",
                     *         "counts": "known",
                     *         "subscribers": 640,
                     *         "views": 24310,
                     *         "videos": 18,
                     *         "score": 54,
                     *         "score_basis": "history",
                     *         "score_version": 5,
                     *         "alert_level": "RISING",
                     *         "percentile": null,
                     *         "chance_7d": 0.147,
                     *         "chance_28d": 0.15,
                     *         "expected_7d": {
                     *           "low": 0.6,
                     *           "high": 6.8
                     *         },
                     *         "expected_28d": {
                     *           "low": 1.9,
                     *           "high": 24.5
                     *         },
                     *         "reason": "Speeding up, each of the last two weeks faster",
                     *         "growth_1d_percent": 1.7,
                     *         "growth_7d_percent": 10.7,
                     *         "tracked_since": "2026-11-12T09:14:27.031Z",
                     *         "last_snapshot_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TrackCreatorAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTrackedCreator: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path: {
                /**
                 * @description A channel id, an @handle in any case, or a percent-encoded channel URL with one of them
                 * @example UCY8vMFsho8bt_uH0G7KX-bg
                 */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "creator": {
                     *         "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *         "name": "Juniper Fivecrits",
                     *         "handle": "@juniperfivecrits",
                     *         "url": "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
                     *         "thumbnail_url": null,
                     *         "country": "CA",
                     *         "status": "active",
                     *         "counts": "known",
                     *         "subscribers": 640,
                     *         "views": 24310,
                     *         "videos": 18,
                     *         "score": 54,
                     *         "score_basis": "history",
                     *         "score_version": 5,
                     *         "alert_level": "RISING",
                     *         "percentile": null,
                     *         "chance_7d": 0.147,
                     *         "chance_28d": 0.15,
                     *         "expected_7d": {
                     *           "low": 0.6,
                     *           "high": 6.8
                     *         },
                     *         "expected_28d": {
                     *           "low": 1.9,
                     *           "high": 24.5
                     *         },
                     *         "reason": "Speeding up, each of the last two weeks faster",
                     *         "growth_1d_percent": 1.7,
                     *         "growth_7d_percent": 10.7,
                     *         "tracked_since": "2026-11-12T09:14:27.031Z",
                     *         "last_snapshot_at": "2026-11-19T06:00:00.374Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetTrackedCreatorAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    untrackCreator: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path: {
                /**
                 * @description A channel id, an @handle in any case, or a percent-encoded channel URL with one of them
                 * @example UCY8vMFsho8bt_uH0G7KX-bg
                 */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "message": "Tracking stopped. Alerts stay.",
                     *       "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg"
                     *     }
                     */
                    "application/json": components["schemas"]["UntrackCreatorAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreatorHistory: {
        parameters: {
            query?: {
                /** @description Leaves out days before it (UTC). At most `to` */
                from?: string;
                /** @description Leaves out days after it (UTC). At least `from` */
                to?: string;
                /** @description csv: all that match as one file. With more than 10,000 rows, `X-Truncated` is true: use `from` and `to` */
                format?: "json" | "csv";
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path: {
                /**
                 * @description A channel id, an @handle in any case, or a percent-encoded channel URL with one of them
                 * @example UCY8vMFsho8bt_uH0G7KX-bg
                 */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Rows": components["headers"]["X-Total-Rows"];
                    "X-Truncated": components["headers"]["X-Truncated"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *       "history": [
                     *         {
                     *           "day": "2026-11-18",
                     *           "subscribers": 629,
                     *           "views": 23694,
                     *           "videos": 17
                     *         },
                     *         {
                     *           "day": "2026-11-19",
                     *           "subscribers": 640,
                     *           "views": 24310,
                     *           "videos": 18
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetCreatorHistoryAnswer"];
                    /**
                     * @example day,subscribers,views,videos
                     *     2026-11-18,629,23694,17
                     *     2026-11-19,640,24310,18
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAlertEmail: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "email": "scout@example.com",
                     *       "delivery": "active",
                     *       "delivery_since": "2026-11-12T09:16:40.512Z",
                     *       "delivery_hint": null
                     *     }
                     */
                    "application/json": components["schemas"]["GetAlertEmailAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAlertEmail: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "scout@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SetAlertEmailInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "message": "Alert emails will be sent to scout@example.com",
                     *       "email": "scout@example.com",
                     *       "delivery": "active",
                     *       "delivery_since": "2026-11-12T09:16:40.512Z",
                     *       "delivery_hint": null
                     *     }
                     */
                    "application/json": components["schemas"]["SetAlertEmailAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    clearAlertEmail: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "message": "Alert emails will no longer be sent",
                     *       "email": null
                     *     }
                     */
                    "application/json": components["schemas"]["ClearAlertEmailAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMutes: {
        parameters: {
            query?: {
                /** @description Number of results to skip */
                offset?: number;
                /**
                 * @description Maximum results
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "pagination": {
                     *         "total": 1,
                     *         "offset": 0,
                     *         "limit": 20,
                     *         "has_more": false
                     *       },
                     *       "creators": [
                     *         {
                     *           "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "name": "Juniper Fivecrits",
                     *           "muted_at": "2026-11-19T09:14:27.031Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListMutesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    muteCreator: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg"
                 *     }
                 */
                "application/json": components["schemas"]["MuteCreatorInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "message": "Emails muted. Alerts still appear.",
                     *       "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *       "is_muted": true
                     *     }
                     */
                    "application/json": components["schemas"]["MuteCreatorAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    unmuteCreator: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path: {
                /**
                 * @description A channel id, an @handle in any case, or a percent-encoded channel URL with one of them
                 * @example UCY8vMFsho8bt_uH0G7KX-bg
                 */
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "message": "Emails about this creator are sent again.",
                     *       "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *       "is_muted": false
                     *     }
                     */
                    "application/json": components["schemas"]["UnmuteCreatorAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Number of results to skip. Not with `after` */
                offset?: number;
                /**
                 * @description Maximum results
                 * @example 20
                 */
                limit?: number;
                /** @description The id of an alert: reads those created after it, oldest first. Empty: from the oldest */
                after?: string;
                /** @description Leaves out alerts created before this time, which ends in Z or an offset. Encode the `+` of an offset as `%2B` */
                since?: string;
                /** @description Only this channel: its id, @handle, or a URL with one of them */
                channel_id?: string;
                /** @description Only alerts of this severity */
                severity?: "EXPLOSIVE" | "SURGING" | "RISING FAST" | "WATCH";
                /** @description Only alerts with a cause of this kind */
                cause?: "video" | "several" | "no_new_video" | "unknown" | "pending";
                /** @description Only alerts with at least this growth */
                min_percent?: number;
                /** @description Leaves out days before it (UTC). At most `to` */
                from?: string;
                /** @description Leaves out days after it (UTC). At least `from` */
                to?: string;
                /** @description csv: all that match as one file. With more than 10,000 rows, `X-Truncated` is true: use `from` and `to` */
                format?: "json" | "csv";
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Rows": components["headers"]["X-Total-Rows"];
                    "X-Truncated": components["headers"]["X-Truncated"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "pagination": {
                     *         "total": 1,
                     *         "offset": 0,
                     *         "limit": 20,
                     *         "has_more": false
                     *       },
                     *       "alerts": [
                     *         {
                     *           "id": "5b1d7c1e-6f0a-4d0e-9c57-2f4b8a3e9d10",
                     *           "day": "2026-11-20",
                     *           "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "alert_type": "HIGH_GROWTH",
                     *           "message": "Juniper Fivecrits grew 19.2% in one day (640 → 763)",
                     *           "created_at": "2026-11-20T06:00:04.218Z",
                     *           "percent": 19.2,
                     *           "subscribers_before": 640,
                     *           "subscribers_after": 763,
                     *           "growth_low": 19.2,
                     *           "growth_high": 19.2,
                     *           "certain": true,
                     *           "severity": "RISING FAST",
                     *           "channel_url": "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "label": "sustained",
                     *           "reason": "It was growing 5.6% a week before this jump. 48% of such jumps kept growing (at least half as much again in 7 days).",
                     *           "cause": {
                     *             "kind": "video",
                     *             "text": "Likely from “One joint, no glue”: 48.2K views in 31 hours, 24 times its usual.",
                     *             "read_at": "2026-11-20T06:00:05.871Z",
                     *             "videos": [
                     *               {
                     *                 "video_id": "Ks5kPcu0b1Y",
                     *                 "title": "One joint, no glue",
                     *                 "url": "https://www.youtube.com/watch?v=Ks5kPcu0b1Y",
                     *                 "thumbnail_url": null,
                     *                 "published_at": "2026-11-18T23:00:00.000Z",
                     *                 "views": 48210,
                     *                 "usual_views": 2010,
                     *                 "times_usual": 24,
                     *                 "is_short": false
                     *               }
                     *             ]
                     *           },
                     *           "held_chance": 0.48,
                     *           "outcome": null
                     *         }
                     *       ],
                     *       "next_after": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListAlertsAnswer"];
                    /**
                     * @example id,day,created_at,channel_id,channel_url,alert_type,severity,percent,subscribers_before,subscribers_after,growth_low,growth_high,certain,label,reason,cause,cause_url,cause_text,held_chance,outcome,message
                     *     5b1d7c1e-6f0a-4d0e-9c57-2f4b8a3e9d10,2026-11-20,2026-11-20T06:00:04.218Z,UCY8vMFsho8bt_uH0G7KX-bg,https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg,HIGH_GROWTH,RISING FAST,19.2,640,763,19.2,19.2,true,sustained,It was growing 5.6% a week before this jump. 48% of such jumps kept growing (at least half as much again in 7 days).,video,https://www.youtube.com/watch?v=Ks5kPcu0b1Y,Likely from “One joint, no glue”: 48.2K views in 31 hours, 24 times its usual.,0.48,,Juniper Fivecrits grew 19.2% in one day (640 → 763)
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description The `next_after` of an earlier response. Empty: from the oldest change */
                after?: string;
                /**
                 * @description Maximum changes
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "changes": [
                     *         {
                     *           "type": "tracked",
                     *           "cursor": "MS5aRnB3cEZNNDJn",
                     *           "at": "2026-11-12T09:14:27.031Z",
                     *           "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "name": null,
                     *           "alert": null
                     *         },
                     *         {
                     *           "type": "alert_created",
                     *           "cursor": "Mi5HTmd4bUVhSEx3",
                     *           "at": "2026-11-20T06:00:04.218Z",
                     *           "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "name": null,
                     *           "alert": {
                     *             "id": "5b1d7c1e-6f0a-4d0e-9c57-2f4b8a3e9d10",
                     *             "day": "2026-11-20",
                     *             "channel_id": "UCY8vMFsho8bt_uH0G7KX-bg",
                     *             "alert_type": "HIGH_GROWTH",
                     *             "message": "Juniper Fivecrits grew 19.2% in one day (640 → 763)",
                     *             "created_at": "2026-11-20T06:00:04.218Z",
                     *             "percent": 19.2,
                     *             "subscribers_before": 640,
                     *             "subscribers_after": 763,
                     *             "growth_low": 19.2,
                     *             "growth_high": 19.2,
                     *             "certain": true,
                     *             "severity": "RISING FAST",
                     *             "channel_url": "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
                     *             "label": "sustained",
                     *             "reason": "It was growing 5.6% a week before this jump. 48% of such jumps kept growing (at least half as much again in 7 days).",
                     *             "cause": {
                     *               "kind": "video",
                     *               "text": "Likely from “One joint, no glue”: 48.2K views in 31 hours, 24 times its usual.",
                     *               "read_at": "2026-11-20T06:00:05.871Z",
                     *               "videos": [
                     *                 {
                     *                   "video_id": "Ks5kPcu0b1Y",
                     *                   "title": "One joint, no glue",
                     *                   "url": "https://www.youtube.com/watch?v=Ks5kPcu0b1Y",
                     *                   "thumbnail_url": null,
                     *                   "published_at": "2026-11-18T23:00:00.000Z",
                     *                   "views": 48210,
                     *                   "usual_views": 2010,
                     *                   "times_usual": 24,
                     *                   "is_short": false
                     *                 }
                     *               ]
                     *             },
                     *             "held_chance": 0.48,
                     *             "outcome": null
                     *           }
                     *         }
                     *       ],
                     *       "next_after": "Mi5HTmd4bUVhSEx3",
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ListChangesAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "tier": "starter",
                     *       "requests_today": 37,
                     *       "requests_limit": 500,
                     *       "creators_tracked": 12,
                     *       "alerts_count": 3,
                     *       "new_niches_today": 1,
                     *       "new_niches_limit": 5,
                     *       "tier_limits": {
                     *         "free": 50,
                     *         "starter": 500,
                     *         "pro": 2000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["GetUsageAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageByDay: {
        parameters: {
            query?: {
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "days": [
                     *         {
                     *           "day": "2026-11-19",
                     *           "requests": 212
                     *         },
                     *         {
                     *           "day": "2026-11-20",
                     *           "requests": 37
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetUsageByDayAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsageByEndpoint: {
        parameters: {
            query?: {
                /**
                 * @description Leaves out days before it (UTC). At most `to`
                 * @example 2026-11-20
                 */
                from?: string;
                /** @description Leaves out days after it (UTC). At least `from` */
                to?: string;
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "endpoints": [
                     *         {
                     *           "method": "GET",
                     *           "endpoint": "/api/alerts",
                     *           "status": 200,
                     *           "requests": 31
                     *         },
                     *         {
                     *           "method": "GET",
                     *           "endpoint": "/api/track/{channel_id}",
                     *           "status": 404,
                     *           "requests": 2
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetUsageByEndpointAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /**
                 * @description Maximum results (50)
                 * @example 20
                 */
                limit?: number;
                /** @description The `next_before` of an earlier response */
                before?: string;
                /**
                 * @description Only requests with this status: 2xx, 3xx, 4xx, 5xx, or one such as 404
                 * @example 4xx
                 */
                status?: string;
                /** @description Only requests with this method */
                method?: "GET" | "HEAD" | "POST" | "DELETE" | "PUT" | "PATCH" | "OPTIONS";
                /** @description Leaves out days before it (UTC). At most `to` */
                from?: string;
                /** @description Leaves out days after it (UTC). At least `from` */
                to?: string;
                /** @description csv: all that match as one file. With more than 10,000 rows, `X-Truncated` is true: use `from` and `to` */
                format?: "json" | "csv";
                /**
                 * @description true: refuse query parameters that the endpoint does not have, instead of ignoring them
                 * @example true
                 */
                strict?: components["parameters"]["strict"];
            };
            header?: {
                /**
                 * @description Sandbox only: the time to move your session's clock to, from 2026-01-01 to 2035-12-31, forward only. Any other key gets 400
                 * @example 2030-01-01T12:00:00Z
                 */
                "X-Test-Clock"?: components["parameters"]["X-Test-Clock"];
                /**
                 * @description Sandbox only: a name for a separate session; without it, your address has one session
                 * @example ci-4711
                 */
                "X-Sandbox-Session"?: components["parameters"]["X-Sandbox-Session"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Sandbox": components["headers"]["X-Sandbox"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Tier": components["headers"]["X-RateLimit-Tier"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Key-Expires": components["headers"]["X-Key-Expires"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Ignored-Parameters": components["headers"]["X-Ignored-Parameters"];
                    ETag: components["headers"]["ETag"];
                    "X-Total-Rows": components["headers"]["X-Total-Rows"];
                    "X-Truncated": components["headers"]["X-Truncated"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "requests": [
                     *         {
                     *           "request_id": "req_5f0c1a9be27d43f6a1c2d3e4",
                     *           "at": "2026-11-20T09:14:27.031Z",
                     *           "method": "GET",
                     *           "path": "/api/track/UCY8vMFsho8bt_uH0G7KX-bg",
                     *           "query": "",
                     *           "status": 404,
                     *           "milliseconds": 2.4
                     *         }
                     *       ],
                     *       "next_before": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListRequestsAnswer"];
                    /**
                     * @example request_id,at,method,path,query,status,milliseconds
                     *     req_5f0c1a9be27d43f6a1c2d3e4,2026-11-20T09:14:27.031Z,GET,/api/track/UCY8vMFsho8bt_uH0G7KX-bg,,404,2.4
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "database": "ok",
                     *       "sample_data": false,
                     *       "last_run": {
                     *         "day": "2026-11-19",
                     *         "started_at": "2026-11-19T06:00:00.041Z",
                     *         "finished_at": "2026-11-19T06:02:17.390Z",
                     *         "planned": 1240,
                     *         "read": 1236,
                     *         "unavailable": 4,
                     *         "failed": 0,
                     *         "alerts": 9
                     *       },
                     *       "run_overdue": false,
                     *       "coverage": 1,
                     *       "platform_units": [
                     *         {
                     *           "bucket": "general",
                     *           "used": 31,
                     *           "limit": 10000,
                     *           "exhausted": false,
                     *           "resets_at": "2026-11-20T08:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetHealthAnswer"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "run_overdue": false,
                     *       "next_run_at": "2026-11-20T06:00:00.000Z",
                     *       "runs": [
                     *         {
                     *           "day": "2026-11-19",
                     *           "started_at": "2026-11-19T06:00:00.041Z",
                     *           "finished_at": "2026-11-19T06:02:17.390Z",
                     *           "delay_seconds": 0,
                     *           "duration_seconds": 137.349,
                     *           "coverage": 1
                     *         }
                     *       ],
                     *       "incidents": [
                     *         {
                     *           "day": "2026-11-12",
                     *           "problem": "The daily run of 2026-11-12 is incomplete: it could not read 50 of 1,240 channels (coverage 96.0%)",
                     *           "noted_at": "2026-11-12T07:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetStatusAnswer"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
