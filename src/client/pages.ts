const PAGE_SIZE = 100;

interface Page {
  pagination: { has_more: boolean };
}

/** Everything a list holds, page by page. What is added meanwhile may move a result to the next page. */
export async function* iterateItems<P extends Page, Item>(
  list: (page: { offset: number; limit: number }) => Promise<P>,
  getItems: (page: P) => Item[],
): AsyncGenerator<Item, void, undefined> {
  for (let offset = 0, more = true; more; offset += PAGE_SIZE) {
    const page = await list({ offset, limit: PAGE_SIZE });
    yield* getItems(page);
    more = page.pagination.has_more;
  }
}

interface FollowingPage {
  next_after?: string | null;
  has_more?: boolean;
  pagination?: { has_more: boolean };
}

/** The pages after a cursor, until the last one. */
export async function* iteratePagesAfter<P extends FollowingPage>(
  list: (page: { after: string; limit: number }) => Promise<P>,
  start: string,
): AsyncGenerator<P, void, undefined> {
  for (let after = start, more = true; more; ) {
    const page = await list({ after, limit: PAGE_SIZE });
    yield page;
    after = page.next_after ?? after;
    more = page.has_more ?? page.pagination?.has_more ?? false;
  }
}
