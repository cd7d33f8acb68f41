import { useKnownPlants } from '../../parts/plants/known-plants.ts';
import { useOperation } from '../../wire/queries.ts';

/** The plants that somebody owns. Of very large fleets, the first hundred by name. */
export interface OwnPlants {
  readonly plants: readonly { readonly id: string; readonly name: string }[];
  /** Whether these are all of them. */
  readonly isWhole: boolean;
  nameOf(id: string): string;
}

const AT_MOST = 100;

/** One's own plants, and names for lists that know only ids. */
export function useOwnPlants(): OwnPlants {
  const { nameOf } = useKnownPlants();
  const { data } = useOperation('plant/ranking', { pageNo: 1, pageSize: AT_MOST });
  const plants = (data?.records ?? []).flatMap(({ id, name, level }) =>
    level === 'owner' && id !== undefined ? [{ id, name: name ?? id }] : [],
  );
  return { plants, isWhole: data !== undefined && (data.total ?? 0) <= AT_MOST, nameOf };
}

/** The plants that an application may see; null if these are all plants of a fleet too large to be listed. */
export const plantIdsOf = (
  { plantIds }: { readonly plantIds?: readonly string[] | undefined },
  own: OwnPlants,
): readonly string[] | null => plantIds ?? (own.isWhole ? own.plants.map(({ id }) => id) : null);
