import { useOperation } from '../../wire/queries.ts';

/** What is shown of plants in lists that know only ids. */
interface KnownPlants {
  nameOf(id: string): string;
}

const AT_MOST = 100;

/** The plants that somebody sees. Of very large fleets, the first hundred by name; others go by their ids. */
export function useKnownPlants(): KnownPlants {
  const { data } = useOperation('plant/ranking', { pageNo: 1, pageSize: AT_MOST });
  const plants = new Map((data?.records ?? []).map(({ id, name }) => [id, name]));
  return { nameOf: (id) => plants.get(id) ?? id };
}
