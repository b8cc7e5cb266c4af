"use client";

import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { FormEvent } from "react";
import styles from "./discover.module.css";
import { LIMITS, type Search } from "./search";

interface SearchFormProps {
  /** Suggested niches. */
  niches: readonly string[];
  typed: Search;
  problems: Partial<Record<keyof Search, string>>;
  isBusy: boolean;
  onType: (typed: Partial<Search>) => void;
  /** @param choice fields to change with the search */
  onSearch: (choice: Partial<Search>) => void;
}

/** The search form with suggested niches. */
export function SearchForm({ niches, typed, problems, isBusy, onType, onSearch }: SearchFormProps) {
  const field = (name: keyof Search) => ({
    value: typed[name],
    error: problems[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onType({ [name]: value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSearch({});
  };
  return (
    <>
      <search>
        <form className={styles.form} onSubmit={submit} noValidate>
          <TextInput
            className={styles.niche}
            type="search"
            label="Niche"
            placeholder="A topic, such as gaming"
            autoComplete="off"
            required
            withAsterisk={false}
            {...field("niche")}
          />
          <TextInput label="Min. subscribers" placeholder="any" inputMode="numeric" {...field("min")} />
          <TextInput label="Max. subscribers" placeholder="any" inputMode="numeric" {...field("max")} />
          <NativeSelect label="Show" data={LIMITS.map(upTo)} {...field("limit")} />
          <Button
            className={styles.search}
            type="submit"
            loading={isBusy}
            leftSection={<IconSearch size={16} aria-hidden />}
          >
            Search
          </Button>
        </form>
      </search>
      <Group gap="xs" mb="lg" role="group" aria-label="Suggested niches">
        <Text size="sm" c="dimmed">
          Try one of these:
        </Text>
        {niches.map((niche) => (
          <Button
            key={niche}
            variant="default"
            size="compact-sm"
            radius="xl"
            fw={450}
            disabled={isBusy}
            onClick={() => onSearch({ niche })}
          >
            {niche}
          </Button>
        ))}
      </Group>
    </>
  );
}

function upTo(limit: string) {
  return { value: limit, label: `up to ${limit}` };
}
