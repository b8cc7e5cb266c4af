import { Anchor, Code, Table, UnstyledButton } from "@mantine/core";
import { IconTerminal2 } from "@tabler/icons-react";
import { formatMilliseconds } from "@/core/format";
import type { RequestEntry } from "@/features/usage/schema";
import { CopyAction } from "../../_ui/copy-action";
import { Instant } from "../../_ui/times";
import { type DEFAULTS, formatStatus } from "./request-query";
import styles from "./requests.module.css";

interface RequestTableProps {
  requests: readonly RequestEntry[];
  site: Site;
  narrow: (filter: Partial<typeof DEFAULTS>) => void;
}

/** A key's requests; a click on method or status filters by it. */
export function RequestTable({ requests, site, narrow }: RequestTableProps) {
  return (
    <Table stickyHeader stickyHeaderOffset={56} highlightOnHover className={styles.table}>
      <Table.Thead>
        <Table.Tr>
          {["Request", "Status", "Took", "Time", "Request ID", "As curl"].map((head, index) => (
            <Table.Th key={head} scope="col" className={index === 2 || index === 5 ? styles.number : undefined}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((request, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: request IDs are chosen by callers and may repeat
          <Row key={`${request.request_id} ${index}`} request={request} site={site} narrow={narrow} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ request, site, narrow }: Omit<RequestTableProps, "requests"> & { request: RequestEntry }) {
  const { method, path, query, status, milliseconds, at, request_id } = request;
  const what = `${method} ${path}`;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={styles.request}>
        <UnstyledButton className={styles.method} title="Show this method only" onClick={() => narrow({ method })}>
          {method}
        </UnstyledButton>{" "}
        <span className={styles.path}>
          {path}
          {query && <span className={styles.query}>?{query}</span>}
        </span>
      </Table.Th>
      <Table.Td className={styles.outcome}>
        <UnstyledButton
          className={styles.status}
          data-kind={getStatusKind(status)}
          title="Show this status only"
          onClick={() => narrow({ status: String(status) })}
        >
          {formatStatus(status)}
        </UnstyledButton>
        {status >= 400 && (
          <Anchor href={`/docs/errors#${status}`} size="xs" underline="always">
            Why<span className="visually-hidden"> {formatStatus(status)}</span>?
          </Anchor>
        )}
      </Table.Td>
      <Table.Td className={styles.number}>{formatMilliseconds(milliseconds)}</Table.Td>
      <Table.Td className={styles.time}>
        <Instant at={at} precision="second" />
      </Table.Td>
      <Table.Td className={styles.id}>
        <span>
          <Code>{request_id}</Code>
          <CopyAction text={request_id} label={`Copy the request ID ${request_id}`} />
        </span>
      </Table.Td>
      <Table.Td className={styles.number}>
        <CopyAction text={toCurl(request, site)} label={`Copy ${what} as curl`} Icon={IconTerminal2} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Word and colour say the same. */
function getStatusKind(status: number): "good" | "bad" | undefined {
  if (status < 400) return "good";
  return status === 429 || status >= 500 ? "bad" : undefined;
}

export interface Site {
  /** Without a slash at the end. */
  appUrl: string;
  /** Sample bodies by `METHOD /path`, with placeholders in angle brackets. */
  bodies: Readonly<Record<string, string>>;
}

/**
 * The curl command for a logged request. The key is the shell variable `API_KEY`; bodies are not stored, so a sample
 * body stands in.
 */
export function toCurl({ method, path, query }: RequestEntry, { appUrl, bodies }: Site): string {
  const body = bodies[`${method} ${path}`];
  // curl reads brackets as ranges, and a quote would end the shell's string.
  const url = `${appUrl}${path}${query && `?${query}`}`.replace(
    /['[\]{}]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const words = [
    `curl ${getMethodOption(method, body !== undefined)}'${url}'`,
    `-H "X-API-Key: $API_KEY"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${body}'`]),
  ];
  return words.join(" \\\n  ");
}

function getMethodOption(method: string, hasBody: boolean): string {
  if (method === "GET" || (method === "POST" && hasBody)) return "";
  return method === "HEAD" ? "--head " : `-X ${method} `;
}
