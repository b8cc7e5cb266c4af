"use client";

import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";

/** Loaded when first opened. */
const ViewsMenu = dynamic(() => import("./views-menu").then(({ ViewsMenu }) => ViewsMenu), {
  ssr: false,
  loading: () => <ViewsButton />,
});

interface SavedViewsProps {
  /** @param query of the overview's URL */
  onApply: (query: string) => void;
}

/** The key's saved views of the overview: applies, saves and deletes them. */
export function SavedViews(props: SavedViewsProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return wasOpened ? <ViewsMenu {...props} /> : <ViewsButton onClick={() => setWasOpened(true)} />;
}

function ViewsButton({ onClick }: { onClick?: () => void }) {
  return (
    <Button variant="subtle" color="gray" size="xs" aria-haspopup="dialog" onClick={onClick}>
      Saved views ▾
    </Button>
  );
}
