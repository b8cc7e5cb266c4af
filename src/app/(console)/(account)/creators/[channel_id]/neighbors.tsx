import { useHotkeys } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { formatCount } from "@/core/format";
import type { Neighbors as NeighborsAnswer } from "@/features/creators/table.service";
import { trpc } from "../../../_client/trpc";
import { getDisplayName } from "../../../_ui/names";
import { SHOW_ALERTS } from "../../overview/tracked-query";
import styles from "./neighbors.module.css";
import { toNeighborsQuery } from "./neighbors-query";

type Neighbor = NonNullable<NeighborsAnswer["next"]>;

/** Where a creator stands in the list that the reader came from, and the way to those before and after it. */
export function Neighbors({ channelId }: { channelId: string }) {
  const router = useRouter();
  const search = useSearchParams();
  const via = search.get("via") ?? "";
  const { data } = trpc.creators.neighbors.useQuery(toNeighborsQuery(channelId, via), { staleTime: Infinity });
  const lists = trpc.lists.all.useQuery().data?.lists;
  const from = new URLSearchParams(via);
  const list = lists?.find(({ id }) => id === from.get("list"));
  const view = from.get("show") === SHOW_ALERTS ? "Alerts today" : from.has("show") ? "Since your last visit" : null;
  const getHref = ({ channel_id }: Neighbor) => {
    const kept = new URLSearchParams(search);
    for (const own of ["with", "before"]) kept.delete(own);
    return `/creators/${channel_id}${kept.size > 0 ? `?${kept}` : ""}`;
  };
  const { previous = null, next = null } = data ?? {};
  const go = (neighbor: Neighbor | null) => neighbor && router.push(getHref(neighbor));
  useHotkeys([
    ["K", () => go(previous)],
    ["J", () => go(next)],
  ]);
  return (
    <nav className={styles.crumbs} aria-label="Creators of the list">
      <Link href={`/overview${via ? `?${via}` : ""}`}>{list?.name ?? view ?? "Rising now"}</Link>
      {data && (
        <>
          <span aria-hidden>/</span>
          <span>
            {formatCount(data.position)} of {formatCount(data.total)}
          </span>
        </>
      )}
      <span className={styles.ways}>
        {previous && (
          <Link href={getHref(previous)} prefetch={false} rel="prev" title="Previous creator (K)">
            <IconChevronLeft size={14} aria-hidden />
            <span className="visually-hidden">Previous: </span>
            <bdi>{getDisplayName(previous)}</bdi>
          </Link>
        )}
        {next && (
          <Link href={getHref(next)} prefetch={false} rel="next" title="Next creator (J)">
            <span className="visually-hidden">Next: </span>
            <bdi>{getDisplayName(next)}</bdi>
            <IconChevronRight size={14} aria-hidden />
          </Link>
        )}
      </span>
    </nav>
  );
}
