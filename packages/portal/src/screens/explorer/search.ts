/** What the address says about the explorer, so that the reference can lead to an operation. */
export interface ExplorerSearch {
  readonly operation?: string | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const explorerSearch = ({ operation }: Readonly<Record<string, unknown>>): ExplorerSearch =>
  typeof operation === 'string' && /^[\w/]{1,60}$/.test(operation) ? { operation } : {};
