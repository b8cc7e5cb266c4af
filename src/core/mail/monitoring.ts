import type { Log } from "@/core/log/log";

/** What the operator's monitoring channel is told of an alert. */
export interface MonitoringPost {
  message: string;
  severity: string;
  color: string;
  channelUrl: string;
  keyLabel: string;
  /** Whether the rise looks sustained, and why; null where it is not judged. */
  judged: string | null;
}

/** The operator's internal channel. */
export interface Monitoring {
  readonly name: "log" | "webhook";
  /**
   * Resolves once the post has been accepted.
   * @throws DestinationError, or anything else where the outcome is not known
   */
  post(post: MonitoringPost): Promise<void>;
  /** The same for a sentence about the service itself. */
  notify(text: string): Promise<void>;
}

/** The embedded monitoring channel: a structured log line. */
export function createLogMonitoring(log: Log): Monitoring {
  return {
    name: "log",
    async post(post) {
      log.info({ monitoring: post }, "alert");
    },
    async notify(text) {
      log.warn({ monitoring: { message: text } }, "notice");
    },
  };
}
