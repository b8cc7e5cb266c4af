import { Button, TextInput } from "@mantine/core";
import { useDidUpdate } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { Dropdown } from "../../_ui/dropdown";
import { Chip, FilterSelect } from "../../_ui/filters";
import filterStyles from "../../_ui/filters.module.css";
import { getCountryName } from "../../_ui/names";
import styles from "./filters.module.css";
import {
  type Change,
  findBoundProblems,
  formatSize,
  getSort,
  isFiltered,
  NO_FILTERS,
  type Search,
  SORTS,
} from "./search";

const LEVELS = [
  { value: "rising", label: "Rising only" },
  { value: "top", label: "Top 10% for its size" },
];

interface FiltersProps {
  search: Search;
  change: Change;
  /** Codes of the countries of the shown creators. */
  countries: readonly string[];
}

/** Sorting and filtering as pills, which say what is chosen. */
export function Filters({ search, change, countries }: FiltersProps) {
  const choices = [...new Set([...countries, search.country].filter(Boolean))]
    .map((code) => ({ value: code, label: getCountryName(code) }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
  const size = formatSize(search);
  return (
    <search aria-label="Found creators" className={styles.filters}>
      <Dropdown
        text={size}
        hasArrow
        label={`Size: ${size === "Size" ? "any" : size}`}
        title="Size"
        className={filterStyles.pill}
        isOn={size !== "Size"}
      >
        <Bounds min={search.min} max={search.max} change={change} />
      </Dropdown>
      <FilterSelect
        label="Country"
        any="Country"
        data={choices}
        value={search.country}
        onChoose={(country) => change({ country, page: "1" })}
      />
      <FilterSelect
        label="Level"
        any="Level"
        data={LEVELS}
        value={search.top ? "top" : search.rising ? "rising" : ""}
        onChoose={(level) =>
          change({ rising: level === "rising" ? "1" : "", top: level === "top" ? "1" : "", page: "1" })
        }
      />
      <Chip isOn={search.untracked !== ""} onClick={() => change({ untracked: search.untracked ? "" : "1" })}>
        Not tracked
      </Chip>
      <FilterSelect
        label="Sort by"
        data={SORTS.map(({ value, label }) => ({ value, label: `Sort: ${label}` }))}
        value={getSort(search)}
        isOn={false}
        onChoose={(sort) => change({ sort, page: "1" })}
      />
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </search>
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
