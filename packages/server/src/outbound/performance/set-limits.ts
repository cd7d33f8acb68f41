import { allProfiles } from '@helioport/devices';
import { sql } from 'kysely';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { findParameter } from '../../control/commands/parameters.ts';
import type { SetLimit } from './causes/loss-day.ts';

/** What a value of a parameter allows: W, of an inverter or into the grid; undefined = everything. */
type Allows = (value: number, ratedW: number) => number | undefined;

const ofRated: Allows = (value, ratedW) => (value < 100 ? (value / 100) * ratedW : undefined);
const switchedOff: Allows = (value) => (value === 222 || value === 0 ? 0 : undefined);

/** By the name of the parameter in the profiles. */
const LIMITING: Readonly<Record<string, { readonly of: 'inverter' | 'export'; allows: Allows }>> = {
  'power limit': { of: 'inverter', allows: ofRated },
  'highest output power': { of: 'inverter', allows: ofRated },
  'switch off': { of: 'inverter', allows: switchedOff },
  'switch on': { of: 'inverter', allows: switchedOff },
  'power switch': { of: 'inverter', allows: switchedOff },
  'highest export power': { of: 'export', allows: (value) => value },
  'export limit of the system': { of: 'export', allows: (value) => value },
};

let ids: readonly string[] | undefined;
const limitingIds = (): readonly string[] =>
  (ids ??= [
    ...new Set(
      allProfiles().flatMap(({ parameters }) =>
        [...parameters.values()].filter(({ name }) => name in LIMITING).map(({ id }) => id),
      ),
    ),
  ]);

const selectWrites = prepareQuery((db, p: ParameterOf<{ plantId: string; parameters: unknown }>) =>
  db
    .selectFrom('command')
    .innerJoin('device', 'device.id', 'command.deviceId')
    .select(['device.sn', 'device.kind', 'device.model', 'device.facts', 'device.ratedPowerW'])
    .select(['command.parameter', 'command.value', 'command.actor'])
    .select((eb) => eb.fn.coalesce('command.confirmedAt', 'command.queuedAt').as('setAt'))
    .where('command.plantId', '=', p('plantId'))
    .where('command.action', '=', sql.lit('write'))
    .where('command.state', 'in', ['confirmed', 'verified'])
    .where(anyOf(db, 'command.parameter', p('parameters')))
    .orderBy('command.id'),
);

/** The limits that were set in a plant over all time: of inverters, by serial number, and of what is fed in. */
export interface SetLimits {
  readonly inverters: ReadonlyMap<string, readonly SetLimit[]>;
  readonly exported: readonly SetLimit[];
}

/** Reads which limits people, applications and strategies have set, each until the next write of the same setting. */
export async function findSetLimits(db: Db, plantId: string): Promise<SetLimits> {
  const writes = (
    await selectWrites(db, { plantId, parameters: listParameter(db, limitingIds()) })
  ).flatMap((write) => {
    const parameter = findParameter(write, write.parameter);
    const rule = parameter && LIMITING[parameter.name];
    return rule ? [{ ...write, rule, setting: `${write.sn} ${parameter.cell}` }] : [];
  });
  const inverters = new Map<string, SetLimit[]>();
  const exported: SetLimit[] = [];
  for (const ofSetting of Map.groupBy(writes, ({ setting }) => setting).values())
    for (const [
      i,
      { sn, rule, value, ratedPowerW, setAt, actor, parameter },
    ] of ofSetting.entries()) {
      const limitW = rule.allows(Number(value), ratedPowerW ?? Number.NaN);
      if (limitW === undefined || !Number.isFinite(limitW)) continue;
      const toAt = ofSetting[i + 1]?.setAt ?? Infinity;
      const limit = { fromAt: setAt, toAt, limitW, setAt, setBy: actor, parameter };
      if (rule.of === 'export') exported.push(limit);
      else inverters.set(sn, [...(inverters.get(sn) ?? []), limit]);
    }
  // Of several limits, the lowest is the one in force.
  const lowest = (limits: readonly SetLimit[]) => limits.toSorted((a, b) => a.limitW - b.limitW);
  return {
    inverters: new Map([...inverters].map(([sn, limits]) => [sn, lowest(limits)])),
    exported: lowest(exported),
  };
}
