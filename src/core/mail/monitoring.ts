import type { Log } from "@/core/log/log";

/** A post about an alert in the operator's monitoring channel. */
export interface MonitoringPost {
  message: string;
  severity: string;
  color: string;
  channelUrl: string;
  keyLabel: string;
  /** Whether the growth looks sustained, and why. */
  judged: string | null;
}

export interface Monitoring {
  readonly name: "log" | "webhook";
  /**
   * Resolves once the post is accepted.
   * @throws DestinationError; after any other error the outcome is unknown
   */
  post(post: MonitoringPost): Promise<void>;
  /** Posts a sentence about the service itself. Fails as `post` does. */
  notify(text: string): Promise<void>;
}

export function createLogMonitoring(log: Log): Monitoring {
  return {
    name: "log",
    post: async (post) => log.info({ monitoring: post }, "alert"),
    notify: async (text) => log.warn({ monitoring: { message: text } }, "notice"),
  };
}
