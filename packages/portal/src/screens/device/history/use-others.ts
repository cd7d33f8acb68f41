import type { WireData } from '@helioport/contract';
import { useOperation } from '../../../wire/queries.ts';
import type { ShownDeviceKind } from '../device.ts';

export type Other = WireData<'device/ranking'>['page']['records'][number];

/** Those of one answer; more would not be found in a list. */
const OFFERED = 100;

/** The other devices of a kind in a plant, by name. */
export function useOthers(plantId: string, kind: ShownDeviceKind, id: string): readonly Other[] {
  const { data } = useOperation('device/ranking', {
    plantId,
    kind,
    sort: 'name',
    pageNo: 1,
    pageSize: OFFERED,
  });
  return data?.page.records.filter((one) => one.id !== id) ?? [];
}
