import {
  IconBell,
  IconChartBar,
  IconCompass,
  IconLayoutDashboard,
  IconListDetails,
  IconSettings,
  type TablerIcon,
} from "@tabler/icons-react";

interface ConsolePage {
  href: string;
  text: string;
  Icon: TablerIcon;
}

/** The console's pages, for navigation and command menu. */
export const PAGES: readonly ConsolePage[] = [
  { href: "/overview", text: "Overview", Icon: IconLayoutDashboard },
  { href: "/discover", text: "Discover", Icon: IconCompass },
  { href: "/alerts", text: "Alerts", Icon: IconBell },
  { href: "/usage", text: "Usage", Icon: IconChartBar },
  { href: "/requests", text: "Requests", Icon: IconListDetails },
  { href: "/settings", text: "Settings", Icon: IconSettings },
];
