import type { ExplorerOperation } from '@helioport/contract';
import { useOperation } from '../../wire/queries.ts';

/** Something of one's own that a field may name. */
export interface OfferedThings {
  readonly value: string;
  readonly label: string;
}

const AT_MOST = 100;
const NOTHING: readonly OfferedThings[] = [];
const page = { pageNo: 1, pageSize: AT_MOST };

type Thing = 'plant' | 'inverter' | 'collector' | 'epm' | 'weather' | 'ammeter';

/** The devices that a family's operations are about. */
const KINDS: Readonly<Record<string, Thing>> = {
  plants: 'plant',
  inverters: 'inverter',
  collectors: 'collector',
  epm: 'epm',
  weather: 'weather',
  ammeters: 'ammeter',
};
const PLANT_FIELDS = /^(stationId|plantId|plantIds|stationIds|idList)$/;

/** What a field of an operation names; undefined if it names neither a plant nor a device. */
export function thingOf(
  { family }: Pick<ExplorerOperation, 'family'>,
  field: string,
): Thing | undefined {
  if (PLANT_FIELDS.test(field)) return 'plant';
  if (/^collector(Sn|Id)$/.test(field)) return 'collector';
  if (field === 'id') return KINDS[family];
  return /^(sn|snList|inverterSn|inverterId|alarmDeviceSn)$/.test(field)
    ? family === 'plants'
      ? 'inverter'
      : (KINDS[family] ?? 'inverter')
    : undefined;
}

/** One's own plants and devices, as far as an operation's fields name any. Fields that end in `Sn` or list serial numbers get those, others ids. */
export function useOwnThings(
  operation: ExplorerOperation,
  fields: readonly string[],
): (field: string) => readonly OfferedThings[] {
  const wanted = new Set(fields.map((field) => thingOf(operation, field)));
  const plants = useOperation('plant/ranking', page, { enabled: wanted.has('plant') }).data
    ?.records;
  const lists = {
    inverter: useOperation('inverterList', page, { enabled: wanted.has('inverter') }).data?.page
      ?.records,
    collector: useOperation('collectorList', page, { enabled: wanted.has('collector') }).data?.page
      ?.records,
    epm: useOperation('epmList', page, { enabled: wanted.has('epm') }).data?.page?.records,
    weather: useOperation('weatherList', page, { enabled: wanted.has('weather') }).data?.page
      ?.records,
    ammeter: useOperation('ammeterList', page, { enabled: wanted.has('ammeter') }).data?.page
      ?.records,
  };
  return (field) => {
    const thing = thingOf(operation, field);
    if (thing === undefined) return NOTHING;
    if (thing === 'plant')
      return (plants ?? []).flatMap(({ id, name }) =>
        id === undefined ? [] : [{ value: id, label: name ?? '' }],
      );
    const bySn = /sn/i.test(field);
    const devices = (lists[thing] ?? []) as readonly {
      readonly id?: string;
      readonly sn?: string;
      readonly name?: string;
    }[];
    return devices.flatMap(({ id, sn, name }) => {
      const value = bySn ? sn : id;
      return value === undefined ? [] : [{ value, label: name ?? sn ?? '' }];
    });
  };
}
