import { defineEndpoint } from "@/features/endpoint";
import { ALERT_CSV, AlertListPage, AlertListQuery, EXAMPLE_ALERT, EXAMPLE_CSV_ROW } from "./query.schema";
import { queryAlerts } from "./service";

export const alertEndpoints = [
  defineEndpoint(
    {
      method: "GET",
      path: "/api/alerts",
      id: "listAlerts",
      tag: "Alerts",
      summary: "Your alerts, newest first",
      description:
        "To keep a copy, read with `after`: oldest first, and you never miss or repeat an alert, even while new ones are " +
        "written. Then `pagination.total` is the number of alerts after that one.",
      query: AlertListQuery,
      answer: AlertListPage,
      errors: [404],
      csv: {
        columns: ALERT_CSV,
        example: `${ALERT_CSV.join(",")}\r\n${ALERT_CSV.map((name) => EXAMPLE_CSV_ROW[name] ?? "").join(",")}\r\n`,
      },
      example: {
        query: { limit: 20 },
        answer: {
          pagination: { total: 1, offset: 0, limit: 20, has_more: false },
          alerts: [EXAMPLE_ALERT],
          next_after: null,
        },
      },
    },
    ({ ctx, key, query }) => queryAlerts(ctx, key.id, query),
  ),
];
