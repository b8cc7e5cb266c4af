"use client";

import { Box, Button, TextInput } from "@mantine/core";
import { useDidUpdate } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { Chip } from "../../_ui/chip";
import { FilterChip, FilterSelect } from "../../_ui/filters";
import { getCountryName } from "../../_ui/names";
import styles from "./filters.module.css";
import { type Change, findBoundProblems, getSort, listActiveFilters, NO_FILTERS, type Search, SORTS } from "./search";

interface FiltersProps {
  search: Search;
  change: Change;
  /** Whether the fields are open on phones. */
  isOpen: boolean;
  /** Codes of the countries of the shown creators. */
  countries: readonly string[];
}

/** Sorting and filtering, and the active filters as chips. */
export function Filters({ search, change, isOpen, countries }: FiltersProps) {
  const choices = [...new Set([...countries, search.country].filter(Boolean))]
    .map((code) => ({ value: code, label: getCountryName(code) }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
  return (
    <>
      <Box className={styles.fields} role="group" aria-label="Sort and filter" data-open={isOpen || undefined}>
        <FilterSelect
          label="Sort by"
          data={SORTS.map(({ value, label }) => ({ value, label: `Sort: ${label}` }))}
          value={getSort(search)}
          onChoose={(sort) => change({ sort, page: "1" })}
        />
        <FilterSelect
          label="Country"
          data={[{ value: "", label: "All countries" }, ...choices]}
          value={search.country}
          onChoose={(country) => change({ country, page: "1" })}
        />
        <Bounds min={search.min} max={search.max} change={change} />
        <Chip isOn={search.rising !== ""} onClick={() => change({ rising: search.rising ? "" : "1", page: "1" })}>
          Rising only
        </Chip>
        <Chip
          isOn={search.top !== ""}
          title="Among the top 10% of channels of its size by score"
          onClick={() => change({ top: search.top ? "" : "1" })}
        >
          Rising for its size
        </Chip>
        <Chip isOn={search.untracked !== ""} onClick={() => change({ untracked: search.untracked ? "" : "1" })}>
          Not tracked yet
        </Chip>
      </Box>
      <ActiveFilters search={search} change={change} />
    </>
  );
}

/** The chosen country and size. What a chip shows as on is not shown again. */
function ActiveFilters({ search, change }: Pick<FiltersProps, "search" | "change">) {
  const active = listActiveFilters({ ...search, rising: "", top: "", untracked: "" });
  if (active.length === 0) return null;
  return (
    <Box className={styles.chips} role="group" aria-label="Active filters">
      {active.map(({ text, without }) => (
        <FilterChip key={text} text={text} onRemove={() => change(without)} />
      ))}
      {active.length > 1 && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </Box>
  );
}

/** The bounds of the size. They apply at Enter, or when the reader leaves the fields. */
function Bounds({ min, max, change }: Pick<Search, "min" | "max"> & { change: Change }) {
  const [typed, setTyped] = useState({ min, max });
  const [problems, setProblems] = useState(findBoundProblems({ min, max }));
  // Changed elsewhere, by a chip or by going back.
  useDidUpdate(() => {
    setTyped({ min, max });
    setProblems({});
  }, [min, max]);
  const apply = () => {
    const wrong = findBoundProblems(typed);
    setProblems(wrong);
    if (Object.keys(wrong).length > 0 || (typed.min === min && typed.max === max)) return;
    change({ ...typed, page: "1" });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  const field = (name: "min" | "max", label: string) => (
    <TextInput
      size="xs"
      className={styles.bound}
      aria-label={label}
      placeholder={label}
      inputMode="numeric"
      autoComplete="off"
      value={typed[name]}
      error={problems[name]}
      onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [name]: value })}
    />
  );
  return (
    <form
      className={styles.bounds}
      noValidate
      onSubmit={submit}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) apply();
      }}
    >
      {field("min", "Min. subscribers")}
      {field("max", "Max. subscribers")}
      <button type="submit" hidden />
    </form>
  );
}
