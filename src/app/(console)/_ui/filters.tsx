"use client";

import { Button, NativeSelect, type NativeSelectProps, TextInput } from "@mantine/core";
import { useDebouncedCallback, useWindowEvent } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import styles from "./filters.module.css";

interface FilterSelectProps extends Pick<NativeSelectProps, "data" | "value" | "className" | "radius" | "w"> {
  label: string;
  onChoose: (value: string) => void;
}

/** One choice that filters or sorts a list. */
export function FilterSelect({ label, onChoose, ...props }: FilterSelectProps) {
  const onChange: NativeSelectProps["onChange"] = ({ currentTarget: { value } }) => onChoose(value);
  return <NativeSelect size="xs" aria-label={label} onChange={onChange} {...props} />;
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

interface SearchFieldProps {
  label: string;
  search: ReturnType<typeof useSearchText>;
  flex?: string;
}

/** A text that filters a list. */
export function SearchField({ label, search, flex }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      size="xs"
      flex={flex}
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
      className={styles.chip}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onRemove}
    >
      <span className="visually-hidden">Remove the filter </span>
      <span className={styles.clipped}>{text}</span>
    </Button>
  );
}
