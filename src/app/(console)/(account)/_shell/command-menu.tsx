"use client";

import "@mantine/spotlight/styles.css";
import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { IconBook, IconKeyboard, IconLogout, IconSearch, IconSun, IconUser, IconUserPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { formatQuantity } from "@/core/format";
import { formatReference, parseInput } from "@/features/creators/references.rules";
import { trpc } from "../../_client/trpc";
import { getDisplayName } from "../../_ui/names";
import { requestDiscovery } from "../_add/initial-text";
import { PAGES } from "./pages";

const ICON = { size: 18, stroke: 1.75, "aria-hidden": true } as const;
const CREATORS_SHOWN = 20;
const THEMES: readonly { scheme: MantineColorScheme; label: string }[] = [
  { scheme: "light", label: "Theme: light" },
  { scheme: "dark", label: "Theme: dark" },
  { scheme: "auto", label: "Theme: as the system" },
];
const DOCUMENTS = [
  { href: "/docs", label: "Documentation" },
  { href: "/api/openapi.json", label: "OpenAPI document" },
  { href: "/accuracy", label: "Accuracy of alerts" },
];

interface CommandMenuProps {
  /** Counts the requests to open it; each one opens it. */
  openCount: number;
  onShortcuts: () => void;
}

/** The command menu: pages, tracked creators, documents and actions. */
export function CommandMenu({ openCount, onShortcuts }: CommandMenuProps) {
  const [query, setQuery] = useState("");
  const creators = useCreators(query);
  useSelectFirst(query, creators);
  const pages = usePages();
  const { channels, niche } = useTyped(query);
  const actions = useActions(onShortcuts);
  useEffect(() => {
    if (openCount > 0) spotlight.open();
  }, [openCount]);
  return (
    <Spotlight
      // The shell handles the shortcut before this is loaded.
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      actions={[channels, pages, creators, listDocuments(), actions, niche]}
      nothingFound="No matches"
      scrollable
      maxHeight={420}
      // Focusable, so that keyboard users can scroll it.
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "group", "aria-label": "Commands" } }}
      attributes={{ content: { "aria-label": "Command menu" } }}
      searchProps={{
        placeholder: "Page, creator, @handle, niche or action",
        "aria-label": "Page, creator, @handle, niche or action",
      }}
    />
  );
}

/** The menu selects its first entry on typing. Creators load later, and come before the search for the typed text. */
function useSelectFirst(query: string, arrived: SpotlightActionGroupData): void {
  const found = arrived.actions.length;
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

function usePages(): SpotlightActionGroupData {
  const router = useRouter();
  return {
    group: "Pages",
    actions: PAGES.map(({ href, text, Icon }) => ({
      id: href,
      label: text,
      leftSection: <Icon {...ICON} />,
      onClick: () => router.push(href),
    })),
  };
}

function useCreators(query: string): SpotlightActionGroupData {
  const router = useRouter();
  const [search] = useDebouncedValue(query.trim().slice(0, 100), 150);
  const { data } = trpc.creators.tracked.useQuery(
    { search, sort: "name", descending: false, limit: CREATORS_SHOWN },
    { placeholderData: keepPreviousData },
  );
  return {
    group: "Tracked creators",
    actions: (data?.creators ?? []).map(({ channel_id, name, handle }) => ({
      id: channel_id,
      label: getDisplayName({ channel_id, name }),
      description: handle ?? channel_id,
      leftSection: <IconUser {...ICON} />,
      onClick: () => router.push(`/creators/${channel_id}`),
    })),
  };
}

/** Actions for the typed text: to track the channels it names, or to search it as a niche. */
function useTyped(query: string): { channels: SpotlightActionGroupData; niche: SpotlightActionGroupData } {
  const router = useRouter();
  const recognised = parseInput(query);
  const group = (name: string, id: "niche" | "channels", labels: string[], Icon: typeof IconSearch) => ({
    group: name,
    actions: labels.map((label) => ({
      id,
      label,
      // The menu shows only what matches the text.
      keywords: query,
      leftSection: <Icon {...ICON} />,
      onClick: () => router.push(requestDiscovery(id, query.trim())),
    })),
  });
  const found = recognised.kind === "channels" ? recognised.found : [];
  const [only] = found;
  const label =
    only && found.length === 1 && only.parsed.kind !== "other" && only.parsed.kind !== "guess"
      ? `Track ${formatReference(only.parsed)}`
      : `Preview ${formatQuantity(found.length, "channel")}`;
  const track = only ? [label] : [];
  const search = recognised.kind === "niche" && recognised.niche ? [`Search niche “${recognised.niche}”`] : [];
  return {
    channels: group("Channels", "channels", track, IconUserPlus),
    niche: group("Niches", "niche", search, IconSearch),
  };
}

function listDocuments(): SpotlightActionGroupData {
  return {
    group: "Documents",
    actions: DOCUMENTS.map(({ href, label }) => ({
      id: href,
      label,
      leftSection: <IconBook {...ICON} />,
      onClick: () => location.assign(href),
    })),
  };
}

function useActions(onShortcuts: () => void): SpotlightActionGroupData {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const signOut = trpc.sessions.signOut.useMutation({ onSuccess: () => location.assign("/sign-in") });
  return {
    group: "Actions",
    actions: [
      ...THEMES.map(({ scheme, label }) => ({
        id: label,
        label,
        leftSection: <IconSun {...ICON} />,
        onClick: () => setColorScheme(scheme),
      })),
      {
        id: "shortcuts",
        label: "Keyboard shortcuts",
        leftSection: <IconKeyboard {...ICON} />,
        onClick: onShortcuts,
      },
      {
        id: "sign-out",
        label: "Sign out",
        leftSection: <IconLogout {...ICON} />,
        onClick: () => signOut.mutate(),
      },
    ],
  };
}
