import { useOperation } from '../wire/queries.ts';

const AT_MOST = 100;

/** Names of the plants that somebody sees, for lists that know only ids. Of very large fleets, those of the first hundred by name; others go by their ids. */
export function usePlantNames(): (id: string) => string {
  const { data } = useOperation('plant/ranking', { pageNo: 1, pageSize: AT_MOST });
  const names = new Map((data?.records ?? []).map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
