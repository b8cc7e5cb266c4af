import { ActionIcon, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { VIEWS_PER_KEY } from "@/features/lists/rules";
import { toastFailure } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { DropdownItem } from "../../_ui/dropdown";
import { FailureNotice } from "../../_ui/query-state";
import { NameForm } from "./name-form";
import styles from "./views.module.css";

/** The saved views of the overview, and a form for the current one. @param onApply takes a query of the URL */
export function Views({ onApply }: { onApply: (query: string) => void }) {
  const { data, error, refetch } = trpc.views.all.useQuery();
  if (error && !data) return <FailureNotice error={error} retry={refetch} />;
  if (!data) return <div className={styles.panel} aria-busy="true" />;
  const { views } = data;
  return (
    <div className={styles.panel}>
      {views.length === 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          A view keeps the list, filters and order of this table.
        </Text>
      )}
      {views.length > 0 && (
        <ul className={styles.views}>
          {views.map(({ id, name, query }) => (
            <li key={id} className={styles.view}>
              <DropdownItem onClick={() => onApply(query)}>{name}</DropdownItem>
              <DeleteView id={id} name={name} />
            </li>
          ))}
        </ul>
      )}
      {views.length < VIEWS_PER_KEY ? (
        <SaveView key={views.length} />
      ) : (
        <Text size="sm" c="dimmed">
          You have {VIEWS_PER_KEY} views, the most a key can have. Delete one to save another.
        </Text>
      )}
    </div>
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
    onError: toastFailure,
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
