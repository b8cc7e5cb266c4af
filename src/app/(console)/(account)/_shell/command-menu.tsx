import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import {
  IconBook,
  IconKeyboard,
  IconLogout,
  IconSearch,
  IconSun,
  IconUser,
  IconUserPlus,
  type TablerIcon,
} from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { formatQuantity } from "@/core/format";
import { formatReference, parseInput } from "@/features/creators/references.rules";
import { trpc } from "../../_client/trpc";
import { getDisplayName } from "../../_ui/names";
import { requestDiscovery } from "../_add/initial-text";
import { useSignOut } from "./navigation";
import { PAGES } from "./pages";
import { THEMES } from "./theme-switch";

const CREATORS_SHOWN = 20;
const DOCUMENTS = [
  { href: "/docs", label: "Documentation" },
  { href: "/api/openapi.json", label: "OpenAPI document" },
  { href: "/accuracy", label: "Accuracy of alerts" },
];
const SEARCH_LABEL = "Page, creator, @handle, niche or action";

interface Entry extends SpotlightActionData {
  label: string;
  Icon: TablerIcon;
}

/** The command menu: pages, tracked creators, documents and actions. @param openCount each new count opens it */
export function CommandMenu({ openCount, onShortcuts }: { openCount: number; onShortcuts: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState("");
  const creators = useCreators(query);
  useSelectFirst(query, creators.length);
  const actions = useActions(onShortcuts);
  useEffect(() => {
    if (openCount > 0) spotlight.open();
  }, [openCount]);
  const pages = PAGES.map(({ href, ...page }) => ({ id: href, ...page, onClick: () => router.push(href) }));
  const documents = DOCUMENTS.map(({ href, label }) => ({
    id: href,
    label,
    Icon: IconBook,
    onClick: () => location.assign(href),
  }));
  const discover = (id: "channels" | "niche", label: string | null, Icon: TablerIcon) =>
    // The menu shows only what matches the text.
    label ? [{ id, label, Icon, keywords: query, onClick: () => router.push(requestDiscovery(id, query.trim())) }] : [];
  const { channels, niche } = describeTyped(query);
  return (
    <Spotlight
      // The shell handles the shortcut before this is loaded.
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      actions={[
        buildGroup("Channels", discover("channels", channels, IconUserPlus)),
        buildGroup("Pages", pages),
        buildGroup("Tracked creators", creators),
        buildGroup("Documents", documents),
        buildGroup("Actions", actions),
        buildGroup("Niches", discover("niche", niche, IconSearch)),
      ]}
      nothingFound="No matches"
      scrollable
      maxHeight={420}
      // Focusable, so that keyboard users can scroll it.
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "group", "aria-label": "Commands" } }}
      attributes={{ content: { "aria-label": "Command menu" } }}
      searchProps={{ placeholder: SEARCH_LABEL, "aria-label": SEARCH_LABEL }}
    />
  );
}

function buildGroup(group: string, entries: readonly Entry[]): SpotlightActionGroupData {
  const actions = entries.map(({ Icon, ...entry }) => ({
    ...entry,
    leftSection: <Icon size={18} stroke={1.75} aria-hidden />,
  }));
  return { group, actions };
}

/** The menu selects its first entry on typing. Creators load later, and come before the search for the typed text. */
function useSelectFirst(query: string, found: number): void {
  useEffect(() => {
    if (query === "" || found === 0) return;
    const entries = [...document.querySelectorAll("[data-action]")];
    const chosen = entries.findIndex((entry) => entry.hasAttribute("data-selected"));
    if (chosen !== -1 && chosen < entries.length - 1) return;
    // The menu counts from its first entry since the text was typed, and finds the selected one by this attribute.
    entries[chosen]?.removeAttribute("data-selected");
    entries[0]?.setAttribute("data-selected", "true");
  }, [query, found]);
}

function useCreators(query: string): Entry[] {
  const router = useRouter();
  const [search] = useDebouncedValue(query.trim().slice(0, 100), 150);
  const { data } = trpc.creators.tracked.useQuery(
    { search, sort: "name", descending: false, limit: CREATORS_SHOWN },
    { placeholderData: keepPreviousData },
  );
  return (data?.creators ?? []).map(({ channel_id, name, handle }) => ({
    id: channel_id,
    label: getDisplayName({ channel_id, name }),
    description: handle ?? channel_id,
    Icon: IconUser,
    onClick: () => router.push(`/creators/${channel_id}`),
  }));
}

/** What can be done with the typed text: track the channels it names, or search it as a niche. */
function describeTyped(query: string): { channels: string | null; niche: string | null } {
  const typed = parseInput(query);
  if (typed.kind === "niche") return { channels: null, niche: typed.niche && `Search niche “${typed.niche}”` };
  const [only, ...others] = typed.found;
  if (only && others.length === 0 && only.parsed.kind !== "other" && only.parsed.kind !== "guess")
    return { channels: `Track ${formatReference(only.parsed)}`, niche: null };
  return { channels: `Preview ${formatQuantity(typed.found.length, "channel")}`, niche: null };
}

function useActions(onShortcuts: () => void): Entry[] {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const signOut = useSignOut();
  return [
    ...THEMES.map(({ value, label }) => ({
      id: value,
      label: `Theme: ${label.toLowerCase()}`,
      Icon: IconSun,
      onClick: () => setColorScheme(value),
    })),
    { id: "shortcuts", label: "Keyboard shortcuts", Icon: IconKeyboard, onClick: onShortcuts },
    { id: "sign-out", label: "Sign out", Icon: IconLogout, onClick: () => signOut.mutate() },
  ];
}
