import type { DeviceFacts } from '@helioport/contract';
import { profileFor } from '@helioport/devices';
import { sql } from 'kysely';
import { knownDisplayVersionOf } from '../commands/parameters.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import {
  narrow,
  plantsOfDevices,
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from '../../fleet/plants/access.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import type { PlannedDevice } from './plan/planned-device.ts';

/** An inverter that a strategy may concern. */
export interface Target {
  readonly id: string;
  readonly sn: string;
  readonly kind: 'inverter';
  readonly model: string | null;
  readonly facts: string;
  readonly ratedPowerW: number | null;
  readonly plantId: string;
  readonly strategyLimits: string | null;
  readonly controlStoppedAt: number | null;
}

type NamedParameters = ReachParameters & { names: unknown };

const inverters = (query: ReturnType<typeof visible>) =>
  query
    .innerJoin('device', 'device.plantId', 'plant.id')
    .where('device.kind', '=', sql.lit('inverter'))
    .select([
      'device.id',
      'device.sn',
      'device.model',
      'device.facts',
      'device.ratedPowerW',
      'plant.id as plantId',
      'plant.strategyLimits',
    ])
    .select('plant.controlStoppedAt')
    .select(sql<'inverter'>`'inverter'`.as('kind'))
    .orderBy('device.id');

const bySerialNumbers = prepareQuery((db, p: ParameterOf<NamedParameters>) =>
  inverters(visible(db, p, plantsOfDevices(db, 'sn', p('names')))).where(
    anyOf(db, 'device.sn', p('names')),
  ),
);
const ofPlants = prepareQuery((db, p: ParameterOf<ReachParameters>) => inverters(visible(db, p)));
const plantsOf = prepareQuery((db, p: ParameterOf<ReachParameters>) =>
  visible(db, p).select('plant.id'),
);

/** The inverters with certain serial numbers. Throws deviceUnknown if one of them is unknown, or not within the reach. */
export async function getNamedTargets(
  db: Db,
  reach: Reach,
  serialNumbers: readonly string[],
): Promise<Target[]> {
  const found = await bySerialNumbers(db, {
    ...reachParameters(db, reach),
    names: listParameter(db, serialNumbers),
  });
  if (found.length !== new Set(serialNumbers).size) throw new Failure('deviceUnknown');
  return found;
}

/** The inverters of certain plants. Throws noPermission if one of the plants is unknown, or not within the reach. */
export async function getTargetsOfPlants(
  db: Db,
  reach: Reach,
  plantIds: readonly string[],
): Promise<Target[]> {
  const parameters = reachParameters(db, narrow(reach, plantIds));
  if ((await plantsOf(db, parameters)).length !== new Set(plantIds).size)
    throw new Failure('noPermission');
  return ofPlants(db, parameters);
}

/** What plans have to know about a device. @param batteryVoltageV null = not measured */
export function plannedDevice(
  {
    sn,
    kind,
    model,
    facts,
    ratedPowerW,
  }: Pick<Target, 'sn' | 'kind' | 'model' | 'facts' | 'ratedPowerW'>,
  batteryVoltageV: number | null = null,
): PlannedDevice {
  const known = JSON.parse(facts) as DeviceFacts;
  const profile = profileFor({ ...known, model });
  return {
    sn,
    profile,
    displayVersion: knownDisplayVersionOf({ kind, model, facts }),
    // Only models with a battery have a storage mode.
    hasBattery: known.storage ?? profile.parameters.has(STORAGE_MODE),
    ratedPowerW,
    batteryVoltageV,
    holds: new Set(known.holds?.split(',')),
  };
}

const STORAGE_MODE = '636';
