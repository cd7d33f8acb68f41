import { useOperation } from '../../wire/queries.ts';
import { texts } from '../texts/index.ts';

/** What is shown of plants in lists that know only ids. */
interface KnownPlants {
  nameOf(id: string): string;
  /** The zone of a plant, or the one of them all; undefined if that is not known. */
  zoneOf(id: string | undefined): string | undefined;
}

const AT_MOST = 100;

/** The plants that somebody sees, and a word for those that they do not see any more. Of very large fleets, the first hundred by name; others go by their ids. */
export function useKnownPlants(): KnownPlants {
  const t = texts.useTexts().plant;
  const { data } = useOperation('plant/ranking', { pageNo: 1, pageSize: AT_MOST });
  const plants = new Map((data?.records ?? []).map((plant) => [plant.id, plant]));
  const isWhole = data !== undefined && (data.total ?? 0) <= AT_MOST;
  const zones = new Set([...plants.values()].map(({ timeZone }) => timeZone));
  return {
    nameOf: (id) => plants.get(id)?.name ?? (isWhole ? t.former : id),
    zoneOf: (id) =>
      id === undefined ? (zones.size === 1 ? [...zones][0] : undefined) : plants.get(id)?.timeZone,
  };
}
