import {
  IconBell,
  IconChartBar,
  IconCompass,
  IconListDetails,
  IconSettings,
  IconTrendingUp,
  type TablerIcon,
} from "@tabler/icons-react";

export interface ConsolePage {
  href: string;
  label: string;
  Icon: TablerIcon;
}

/** The console's pages, for navigation and command menu. */
export const PAGES: readonly ConsolePage[] = [
  { href: "/overview", label: "Overview", Icon: IconTrendingUp },
  { href: "/discover", label: "Discover", Icon: IconCompass },
  { href: "/alerts", label: "Alerts", Icon: IconBell },
  { href: "/usage", label: "Usage", Icon: IconChartBar },
  { href: "/requests", label: "Requests", Icon: IconListDetails },
  { href: "/settings", label: "Settings", Icon: IconSettings },
];
