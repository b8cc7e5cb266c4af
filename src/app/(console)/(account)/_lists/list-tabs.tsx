import dynamic from "next/dynamic";
import { type ReactNode, useRef, useState } from "react";
import { formatCount } from "@/core/format";
import type { CreatorList } from "@/features/lists/service";
import { trpc } from "../../_client/trpc";
import { Dropdown, DropdownItem } from "../../_ui/dropdown";
import type { ListDialogRequest } from "./list-dialog";
import styles from "./lists.module.css";

/** Loaded when first opened. */
const ListDialog = dynamic(() => import("./list-dialog").then(({ ListDialog }) => ListDialog), { ssr: false });

interface ListTabsProps<View extends string> {
  /** Id of the shown list; empty for all creators. */
  list: string;
  onList: (id: string) => void;
  /** Tabs before the lists. */
  views: readonly { id: View; name: string; creators: number }[];
  /** Id of the shown view; empty for none. */
  view: string;
  onView: (id: View) => void;
  children: ReactNode;
}

/** All tracked creators and each list as tabs, with their counts. */
export function ListTabs<View extends string>(props: ListTabsProps<View>) {
  const { list, onList, views, view, onView, children } = props;
  const { data } = trpc.lists.all.useQuery();
  const tabs = useRef<HTMLElement>(null);
  const [request, setRequest] = useState<ListDialogRequest | null>(null);
  const [isDialogLoaded, setIsDialogLoaded] = useState(false);
  const ask = (next: ListDialogRequest) => {
    setRequest(next);
    setIsDialogLoaded(true);
  };
  const tab = (name: string, creators: number | undefined, isShown: boolean, show: () => void) => (
    <button type="button" className={styles.tab} aria-current={isShown} onClick={show}>
      <span dir="auto">{name}</span>{" "}
      <span className={styles.count}>{creators !== undefined && formatCount(creators)}</span>
    </button>
  );
  return (
    <div className={styles.row}>
      <nav ref={tabs} aria-label="Lists" className={styles.tabs}>
        {tab("All", data?.tracked, list === "" && view === "", () => onList(""))}
        {views.map(({ id, name, creators }) => (
          <span key={id} className={styles.pair}>
            {tab(name, creators, id === view, () => onView(id))}
          </span>
        ))}
        {data?.lists.map((one) => (
          <span key={one.id} className={styles.pair}>
            {tab(one.name, one.creators, one.id === list, () => onList(one.id))}
            {one.id === list && <ListMenu list={one} onAsk={ask} />}
          </span>
        ))}
        <button
          type="button"
          className={styles.add}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => ask({ kind: "new", from: currentTarget })}
        >
          + New list
        </button>
      </nav>
      <div className={styles.tools}>{children}</div>
      {isDialogLoaded && (
        <ListDialog
          request={request}
          onClose={() => setRequest(null)}
          onDeleted={() => {
            onList("");
            tabs.current?.querySelector("button")?.focus();
          }}
        />
      )}
    </div>
  );
}

function ListMenu({ list, onAsk }: { list: CreatorList; onAsk: (request: ListDialogRequest) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const ask = (kind: "rename" | "delete" | "share") => onAsk({ kind, list, from: button.current });
  const label = `Change the list ${list.name}`;
  return (
    <Dropdown button={button} text="⋯" label={label} title={label} className={styles.more}>
      <DropdownItem onClick={() => ask("share")}>Share</DropdownItem>
      <DropdownItem onClick={() => ask("rename")}>Rename</DropdownItem>
      <DropdownItem isDanger onClick={() => ask("delete")}>
        Delete
      </DropdownItem>
    </Dropdown>
  );
}
