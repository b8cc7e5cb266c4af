"use client";

import { ActionIcon, Button, Popover, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { VIEWS_PER_KEY } from "@/features/lists/rules";
import { failureOf } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { FailureNotice } from "../../_ui/failure-notice";
import { NameForm } from "./name-form";
import styles from "./views-menu.module.css";

interface ViewsMenuProps {
  onApply: (query: string) => void;
}

/** Saved views and a form for the current one. It is rendered when it is first opened. */
export function ViewsMenu({ onApply }: ViewsMenuProps) {
  const [opened, setOpened] = useState(true);
  const { data, error, refetch } = trpc.views.all.useQuery();
  const views = data?.views;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={300}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button variant="subtle" color="gray" size="xs" onClick={() => setOpened(!opened)}>
          Saved views ▾
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views">
        {error && !data && <FailureNotice error={error} retry={refetch} />}
        {views?.length === 0 && (
          <Text size="sm" c="dimmed" mb="sm">
            A view keeps the list, filters and order of this table.
          </Text>
        )}
        <ul className={styles.views}>
          {views?.map(({ id, name, query }) => (
            <li key={id} className={styles.view}>
              <Button
                className={styles.apply}
                variant="subtle"
                color="gray"
                size="xs"
                justify="start"
                onClick={() => {
                  onApply(query);
                  setOpened(false);
                }}
              >
                <span dir="auto">{name}</span>
              </Button>
              <DeleteView id={id} name={name} />
            </li>
          ))}
        </ul>
        {views && views.length < VIEWS_PER_KEY && <SaveView key={views.length} />}
        {views?.length === VIEWS_PER_KEY && (
          <Text size="sm" c="dimmed">
            You have {VIEWS_PER_KEY} views, the most a key can have. Delete one to save another.
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveView() {
  const utils = trpc.useUtils();
  const save = trpc.views.save.useMutation({ onSuccess: () => utils.views.invalidate() });
  return (
    <NameForm
      label="Name of the current view"
      action="Save view"
      isPending={save.isPending}
      error={save.error}
      onName={(name) => save.mutate({ name, query: location.search.slice(1) })}
    />
  );
}

function DeleteView({ id, name }: { id: string; name: string }) {
  const utils = trpc.useUtils();
  const remove = trpc.views.delete.useMutation({
    onError: (error) => void toast(failureOf(error).message, "failed"),
    onSettled: () => utils.views.invalidate(),
  });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Delete the view ${name}`}
      loading={remove.isPending}
      onClick={() => remove.mutate({ id })}
    >
      <IconX size={16} aria-hidden />
    </ActionIcon>
  );
}
