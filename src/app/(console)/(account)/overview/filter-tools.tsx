import { IconFilter } from "@tabler/icons-react";
import { formatRoundCount } from "@/core/format";
import { SIZE_BANDS } from "@/features/growth/rules";
import { ALERT_LEVELS, LEVEL_WORDS } from "@/features/growth/score.rules";
import { trpc } from "../../_client/trpc";
import { Dropdown } from "../../_ui/dropdown";
import { FilterChip, FilterSelect, SearchField, type useSearchText } from "../../_ui/filters";
import { getCountryName } from "../../_ui/names";
import listStyles from "../_lists/lists.module.css";
import styles from "./filter-tools.module.css";
import { FOR_SIZE, type TableState } from "./tracked-query";

interface FilterProps {
  state: TableState;
  change: (change: Partial<TableState>) => void;
}

const SORTS = [
  { value: "score", label: "By score" },
  { value: "expected", label: "By expected range" },
  { value: "growth_7d", label: "By 7 days" },
  { value: "growth_1d", label: "By 1 day" },
  { value: "growth_28d", label: "By 28 days" },
  { value: "subscribers", label: "By subscribers" },
  { value: "name", label: "By name" },
];
const LEVELS = [
  ...ALERT_LEVELS.map((level) => ({ value: level as string, label: LEVEL_WORDS[level] })),
  { value: FOR_SIZE, label: "Top 10% for its size" },
];
const SIZES = SIZE_BANDS.map((min, index) => ({ value: String(min), label: formatBand(min, SIZE_BANDS[index + 1]) }));

function formatBand(min: number, next: number | undefined): string {
  if (next === undefined) return `${formatRoundCount(min)} and more`;
  return min === 0 ? `Under ${formatRoundCount(next)}` : `${formatRoundCount(min)} to ${formatRoundCount(next)}`;
}

interface FilterToolsProps extends FilterProps {
  searching: ReturnType<typeof useSearchText>;
  /** Whether rows show growth, whose lines phones explain here. */
  hasLegend: boolean;
}

/** Search, filters and, where the columns have no heads, the order. */
export function FilterTools({ state, change, searching, hasLegend }: FilterToolsProps) {
  const active = listActive(state).length;
  return (
    <>
      <div className={styles.search}>
        <SearchField label="Filter by name or handle" search={searching} />
      </div>
      <div className={styles.sort}>
        <FilterSelect
          label="Sort"
          data={SORTS}
          value={state.sort}
          isOn={false}
          onChoose={(sort) => change({ sort, order: sort === "name" ? "asc" : "desc", page: "1" })}
        />
      </div>
      <Dropdown
        icon={<IconFilter size={15} aria-hidden />}
        text={active > 0 ? `Filter (${active})` : "Filter"}
        title="Filters"
        className={listStyles.tool}
      >
        <div className={styles.panel}>
          <div className={styles.inside}>
            <SearchField label="Search by name or handle" search={searching} />
          </div>
          <Choices state={state} change={change} />
        </div>
      </Dropdown>
      {hasLegend && (
        <span className={styles.legend} aria-hidden>
          7 days
          <br />
          expected
        </span>
      )}
    </>
  );
}

/** Loads what the key's creators can be filtered by. */
function Choices({ state, change }: FilterProps) {
  const { data } = trpc.creators.choices.useQuery();
  const add = (choices: { value: string; label: string; creators?: number }[], chosen: string) => {
    const known = choices.some(({ value }) => value === chosen) || chosen === "";
    const all = known ? choices : [...choices, { value: chosen, label: chosen }];
    return all.map(({ value, label, creators }) => ({ value, label: creators ? `${label} (${creators})` : label }));
  };
  const countries = (data?.countries ?? []).map((one) => ({ ...one, label: getCountryName(one.value) }));
  const fields = [
    { name: "level", label: "Level", any: "All levels", choices: LEVELS },
    { name: "niche", label: "Niche", any: "All niches", choices: add(data?.niches ?? [], state.niche) },
    { name: "country", label: "Country", any: "All countries", choices: add(countries, state.country) },
    { name: "size", label: "Size", any: "All sizes", choices: SIZES },
  ] as const;
  return fields.map(({ name, label, any, choices }) => (
    <FilterSelect
      key={name}
      label={label}
      any={any}
      data={choices}
      value={state[name]}
      onChoose={(value) => change({ [name]: value, page: "1" })}
    />
  ));
}

/** The filters that are set, as chips. A click on one removes it. */
export function ActiveFilters({ state, change, clear }: FilterProps & { clear: () => void }) {
  const active = listActive(state);
  if (active.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are buttons
    <div className={styles.chips} role="group" aria-label="Active filters">
      {active.map(({ name, text }) => (
        <FilterChip key={name} text={text} onRemove={() => change({ [name]: "", page: "1" })} />
      ))}
      {active.length > 1 && (
        <button type="button" className={listStyles.tool} onClick={clear}>
          Clear filters
        </button>
      )}
    </div>
  );
}

function listActive({ level, niche, country, size }: TableState) {
  const find = (choices: { value: string; label: string }[], value: string) =>
    choices.find((choice) => choice.value === value)?.label ?? value;
  return [
    { name: "level", text: level && find(LEVELS, level) },
    { name: "niche", text: niche },
    { name: "country", text: country && getCountryName(country) },
    { name: "size", text: size && find(SIZES, size) },
  ].filter(({ text }) => text !== "");
}
