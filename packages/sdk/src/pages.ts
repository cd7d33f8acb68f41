/** One page of a list operation, the same whatever container the operation answers with. */
export interface Page<Item> {
  records: Item[];
  total: number;
  /** Number of this page, from 1. */
  current: number;
  /** Number of pages. */
  pages: number;
}

/** Asks page after page, until the last one. Lists are ordered by id, so what is added meanwhile comes later. */
export async function* listPages<Item>(ask: (pageNo: number) => Promise<unknown>, firstPage: number): AsyncGenerator<Page<Item>, void, undefined> {
  for (let pageNo = firstPage; ; pageNo++) {
    const page = pageIn<Item>(await ask(pageNo));
    yield page;
    if (page.records.length === 0 || pageNo >= page.pages) return;
  }
}

/** Some lists answer with the page itself, some with an object around it (interface W5). */
function pageIn<Item>(data: unknown): Page<Item> {
  const container = data as { page?: unknown } | null;
  const page = (container?.page ?? container) as Partial<Page<Item>> | null;
  if (!page || !Array.isArray(page.records)) throw new TypeError('the operation does not answer with pages');
  const { records, total = records.length, current = 1, pages = 1 } = page;
  return { records, total, current, pages };
}
