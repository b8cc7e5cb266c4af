import { Button, NativeSelect, type NativeSelectProps, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedCallback, useWindowEvent } from "@mantine/hooks";
import { IconChevronDown, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { formatCount } from "@/core/format";
import styles from "./filters.module.css";

interface FilterSelectProps extends Pick<NativeSelectProps, "value"> {
  label: string;
  data: readonly (string | { value: string; label: string })[];
  /** What it says where nothing is chosen; an order has always one. */
  any?: string;
  /** Whether it narrows the list. An order does not. */
  isOn?: boolean;
  onChoose: (value: string) => void;
}

/** One choice that filters or sorts a list, as a pill like a chip. */
export function FilterSelect({ label, value, data, any, isOn = value !== "", onChoose }: FilterSelectProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      classNames={{ input: styles.pill }}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      mod={{ on: isOn }}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      data={any === undefined ? [...data] : [{ value: "", label: any }, ...data]}
    />
  );
}

/**
 * The text of a search field. The URL follows it after a short delay, and Back brings an earlier text back.
 * @param name of the text in the URL
 * @param onSearch takes the trimmed text
 */
export function useSearchText(name: string, initial: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(initial);
  const search = useDebouncedCallback(onSearch, 200);
  const showUrl = () => setText(new URLSearchParams(location.search).get(name) ?? "");
  useWindowEvent("popstate", showUrl);
  const type = (typed: string) => {
    setText(typed);
    search(typed.trim());
  };
  return { text, setText, showUrl, type };
}

/** A text that filters a list. */
export function SearchField({ label, search }: { label: string; search: ReturnType<typeof useSearchText> }) {
  return (
    <TextInput
      type="search"
      size="xs"
      aria-label={label}
      placeholder={label}
      value={search.text}
      onChange={({ currentTarget: { value } }) => search.type(value)}
    />
  );
}

/** An active filter. A click removes it. */
export function FilterChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Button
      variant="light"
      size="compact-sm"
      radius="xl"
      className={styles.active}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onRemove}
    >
      <span className="visually-hidden">Remove the filter </span>
      <span className={styles.clipped}>{text}</span>
    </Button>
  );
}

interface ChipProps {
  isOn: boolean;
  count?: number;
  onClick: () => void;
  children: ReactNode;
}

/** A filter that is on or off. */
export function Chip({ isOn, count, onClick, children }: ChipProps) {
  return (
    <UnstyledButton className={styles.chip} aria-pressed={isOn} data-empty={count === 0 || undefined} onClick={onClick}>
      {children}
      {count !== undefined && <span className={styles.count}> {formatCount(count)}</span>}
    </UnstyledButton>
  );
}
