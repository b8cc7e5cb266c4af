"use client";

import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { LOGGED_METHODS } from "@/features/usage/request-log.rules";
import type { RequestFilter } from "@/features/usage/request-log.schema";
import { FilterChip } from "../../_ui/filter-chip";
import type { DEFAULTS } from "./request-query";
import { formatStatus } from "./status";

const MAX_PATH_LENGTH = 300;
const METHOD_CHOICES = [{ value: "", label: "All methods" }, ...LOGGED_METHODS];
const CLASS_CHOICES = [
  { value: "", label: "All statuses" },
  { value: "2xx", label: "2xx Success" },
  { value: "4xx", label: "4xx Refused" },
  { value: "5xx", label: "5xx Failed" },
];

interface FiltersProps {
  filter: RequestFilter;
  typed: string;
  onType: (text: string) => void;
  change: (change: Partial<typeof DEFAULTS>, how?: "push" | "replace") => void;
  refresh: () => void;
  isRefreshing: boolean;
}

/** Filters of the log, with chips to remove them. */
export function Filters({ filter, typed, onType, change, refresh, isRefreshing }: FiltersProps) {
  const { method, status } = filter;
  const apply = useDebouncedCallback((text: string) => change({ path: text, before: "" }, "replace"), 200);
  const exact = typeof status === "number" ? [{ value: String(status), label: formatStatus(status) }] : [];
  return (
    <Group gap="xs" mb="md" role="search" aria-label="Requests">
      <NativeSelect
        size="xs"
        aria-label="Method"
        data={METHOD_CHOICES}
        value={method ?? ""}
        onChange={({ currentTarget: { value } }) => change({ method: value, before: "" })}
      />
      <NativeSelect
        size="xs"
        aria-label="Status"
        data={[...CLASS_CHOICES, ...exact]}
        value={String(status ?? "")}
        onChange={({ currentTarget: { value } }) => change({ status: value, before: "" })}
      />
      <TextInput
        type="search"
        size="xs"
        aria-label="Path contains"
        placeholder="Path contains"
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          onType(value);
          apply(value.trim().slice(0, MAX_PATH_LENGTH));
        }}
      />
      {method && <FilterChip text={method} onRemove={() => change({ method: "", before: "" })} />}
      {status && <FilterChip text={formatStatus(status)} onRemove={() => change({ status: "", before: "" })} />}
      <Button
        variant="default"
        size="xs"
        ml="auto"
        leftSection={<IconRefresh size={14} aria-hidden />}
        loading={isRefreshing}
        onClick={refresh}
      >
        Refresh
      </Button>
    </Group>
  );
}
