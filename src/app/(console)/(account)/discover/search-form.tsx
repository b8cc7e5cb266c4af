"use client";

import { Button, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { FormEvent } from "react";
import styles from "./discover.module.css";

interface SearchFormProps {
  typed: string;
  problem: string | null;
  isBusy: boolean;
  onType: (niche: string) => void;
  onSearch: (niche: string) => void;
}

/** The search field. */
export function SearchForm({ typed, problem, isBusy, onType, onSearch }: SearchFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSearch(typed);
  };
  return (
    <search>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextInput
          className={styles.niche}
          type="search"
          size="md"
          aria-label="Niche"
          placeholder="A topic, such as gaming"
          autoComplete="off"
          required
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          error={problem}
          onChange={({ currentTarget: { value } }) => onType(value)}
        />
        <Button type="submit" size="md" loading={isBusy}>
          Search
        </Button>
      </form>
    </search>
  );
}
