import type { PlantArray } from '@helioport/contract';
import type { Binding } from '../../../fleet/plants/bindings.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import type { ModelArray, ModelUnit } from '../../expected/model.ts';

/** An inverter of a plant. */
export interface Inverter {
  readonly binding: Binding;
  readonly sn: string;
  readonly ratedW: number | null;
}

const selectInverters = prepareQuery((db, p: ParameterOf<{ ids: unknown }>) =>
  db
    .selectFrom('device')
    .select(['id', 'sn', 'ratedPowerW'])
    .where(anyOf(db, 'id', p('ids'))),
);

/** The inverters among bindings. */
export async function findInverters(db: Db, bindings: readonly Binding[]): Promise<Inverter[]> {
  const own = bindings.filter(({ kind }) => kind === 'inverter');
  const devices = await selectInverters(db, {
    ids: listParameter(db, [...new Set(own.map(({ deviceId }) => deviceId))]),
  });
  const known = new Map(devices.map((device) => [device.id, device]));
  return own.flatMap((binding) => {
    const device = known.get(binding.deviceId);
    return device ? [{ binding, sn: device.sn, ratedW: device.ratedPowerW }] : [];
  });
}

const modelled = ({ tiltDegrees, azimuthDegrees, capacityKwp }: PlantArray): ModelArray => ({
  plane: { tilt: tiltDegrees, azimuth: azimuthDegrees },
  capacityW: capacityKwp * 1000,
});

/**
 * The inverters that are there, each with its arrays. Arrays of which nobody has said which inverter they feed are shared, by rated power, among the
 * inverters of which no array is known; if that is unknown, they are one unit without a serial number.
 */
export function performanceUnitsOf(
  arrays: readonly PlantArray[],
  inverters: readonly Pick<Inverter, 'sn' | 'ratedW'>[],
): ModelUnit[] {
  const bySn = Map.groupBy(arrays, ({ sn }) => sn ?? '');
  const rated = new Map(inverters.map(({ sn, ratedW }) => [sn, ratedW]));
  const units: ModelUnit[] = [...bySn].flatMap(([sn, own]) =>
    sn === '' ? [] : [{ sn, arrays: own.map(modelled), ratedW: rated.get(sn) ?? null }],
  );
  const unsaid = (bySn.get('') ?? []).map(modelled);
  if (unsaid.length === 0) return units;
  const others = [...rated].filter(([sn]) => !bySn.has(sn));
  const [only] = others;
  if (others.length === 1) return [...units, { sn: only![0], arrays: unsaid, ratedW: only![1] }];
  const sumW = others.reduce((sum, [, ratedW]) => sum + (ratedW ?? Number.NaN), 0);
  if (!(sumW > 0)) return [...units, { sn: undefined, arrays: unsaid, ratedW: null }];
  return [
    ...units,
    ...others.map(([sn, ratedW]) => ({
      sn,
      ratedW,
      arrays: unsaid.map(({ plane, capacityW }) => ({
        plane,
        capacityW: (capacityW * ratedW!) / sumW,
      })),
    })),
  ];
}
