import { Button, Group, Text } from "@mantine/core";
import { formatCount } from "@/core/format";

interface PagerProps {
  total: number;
  offset: number;
  limit: number;
  /** @param page counted from 1 */
  onPage: (page: number) => void;
}

/** Pagination of a list; renders nothing for a single page. */
export function Pager({ total, offset, limit, onPage }: PagerProps) {
  const pages = Math.ceil(total / limit);
  const page = Math.floor(offset / limit) + 1;
  if (pages <= 1 && page === 1) return null;
  return (
    <Group component="nav" aria-label="Pages" gap="xs">
      <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Text size="sm">
        Page {formatCount(page)} of {formatCount(pages)}
      </Text>
      <Button variant="default" size="xs" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </Group>
  );
}
