import type { Log } from "@/core/log/log";

export interface MonitoringPost {
  message: string;
  severity: string;
  color: string;
  channelUrl: string;
  keyLabel: string;
  judged: string | null;
}

export interface Monitoring {
  readonly name: "log" | "webhook";
  /** Resolves once the post is accepted. @throws DestinationError */
  post(post: MonitoringPost): Promise<void>;
  notify(text: string): Promise<void>;
}

export function createLogMonitoring(log: Log): Monitoring {
  return {
    name: "log",
    post: async (post) => log.info({ monitoring: post }, "alert"),
    notify: async (text) => log.warn({ monitoring: { message: text } }, "notice"),
  };
}
