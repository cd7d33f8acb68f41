/** One page of a list operation, in the same form for all operations. */
export interface Page<Item> {
  records: Item[];
  total: number;
  /** Number of this page, starting at 1. */
  current: number;
  /** Number of pages. */
  pages: number;
}

/** Reads page after page, up to the last one. Lists are ordered by id, so records added in the meantime come last. */
export async function* listPages<Item>(
  ask: (pageNo: number) => Promise<unknown>,
  firstPage: number,
): AsyncGenerator<Page<Item>, void, undefined> {
  for (let pageNo = firstPage; ; pageNo++) {
    const page = pageIn<Item>(await ask(pageNo));
    yield page;
    if (page.records.length === 0 || pageNo >= page.pages) return;
  }
}

/** Some lists answer with the page itself, others with an object that contains it (interface W5). */
function pageIn<Item>(data: unknown): Page<Item> {
  const container = data as { page?: unknown } | null;
  const page = (container?.page ?? container) as Partial<Page<Item>> | null;
  if (!page || !Array.isArray(page.records))
    throw new TypeError('the operation does not return pages');
  const { records, total = records.length, current = 1, pages = 1 } = page;
  return { records, total, current, pages };
}
