import { useOperation } from '../../wire/queries.ts';

/** What is shown of plants in lists that know only ids. */
interface KnownPlants {
  nameOf(id: string): string;
  /** The zone of a plant's clock; undefined if it is not known. */
  zoneOf(id: string | undefined): string | undefined;
}

const AT_MOST = 100;

/** The plants that somebody sees. Of very large fleets, the first hundred by name; others go by their ids. */
export function useKnownPlants(): KnownPlants {
  const { data } = useOperation('plant/ranking', { pageNo: 1, pageSize: AT_MOST });
  const plants = new Map((data?.records ?? []).map((plant) => [plant.id, plant]));
  return { nameOf: (id) => plants.get(id)?.name ?? id, zoneOf: (id) => plants.get(id)?.timeZone };
}
