import type { ExplorerOperation } from '@helioport/contract';

/** The operations that have all words of a text in their id, summary or family. */
export function findOperations(
  operations: readonly ExplorerOperation[],
  text: string,
): readonly ExplorerOperation[] {
  const words = text.toLowerCase().split(/\s+/);
  return operations.filter(({ id, summary, familyTitle }) => {
    const said = `${id} ${summary} ${familyTitle}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
