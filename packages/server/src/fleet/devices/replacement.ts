import type { PlantArray } from '@helioport/contract';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { Failure, refusedNow } from '../../platform/kernel/failure.ts';
import type { Db, PlantTable } from '../../platform/storage/database.ts';
import type { Selectable } from 'kysely';
import type { AccessLevel } from '../plants/levels.ts';
import { inheritBindings, unbindDevices } from '../plants/bindings.ts';
import { lockBoundAndLinked } from '../plants/foreign-links.ts';
import { findDevice, type Device } from './devices.ts';
import { placeDevices } from './placement.ts';

/** The plant in which a device is replaced, locked, as the person who does it may see it. */
interface Home extends Pick<Selectable<PlantTable>, 'id' | 'ownerId' | 'arrays'> {
  readonly level: AccessLevel;
}

export interface Replacement {
  /** Serial number of the device that goes. */
  readonly sn: string;
  /** Serial number of the device that comes. */
  readonly by: string;
  /** Collectors (device.id) whose tokens were presented. */
  readonly shown: ReadonlySet<string>;
  readonly ratedPowerW?: number;
}

/**
 * Puts a device in the place of another one of a plant. It continues its history, with its name, its modules and the devices that reported through it.
 * Throws noPermission, deviceAlreadyBound, invalidValue.
 */
export async function replaceDevice(
  trx: Db,
  act: Act,
  home: Home,
  { sn, by, shown, ratedPowerW }: Replacement,
): Promise<{ readonly former: Device; readonly id: string; readonly sn: string }> {
  const [former, known] = [await findDevice(trx, sn), await findDevice(trx, by)];
  if (former?.plantId !== home.id) throw new Failure('noPermission');
  const isCollector = former.kind === 'collector';
  if (sn === by || (isCollector ? known?.kind !== 'collector' : known?.kind === 'collector'))
    throw refusedNow('by', `the serial number of another ${former.kind}`);
  await lockBoundAndLinked(trx, home.id, known ? [known.id] : []);
  await unbindDevices(trx, act, [former.id], home.id);
  await placeDevices(trx, act, home, [by], {
    shown,
    ...(former.kind !== 'collector' && { kind: former.kind }),
    ...(ratedPowerW !== undefined && { ratedPowerW }),
    ...(home.level === 'install' && { within: home.id }),
  });
  const { id, name } = (await findDevice(trx, by))!;
  await inheritBindings(trx, home.id, former.id, id);
  if (name === null && former.name !== null)
    await trx.updateTable('device').set({ name: former.name }).where('id', '=', id).execute();
  if (isCollector) await followCollector(trx, home.id, former.id, id);
  else await remount(trx, home, sn, by);
  await recordAudit(trx, act, {
    kind: 'device.replaced',
    accountId: home.ownerId,
    data: { plantId: home.id, deviceId: id, sn: by, former: sn },
  });
  return { former, id, sn: by };
}

const followCollector = (trx: Db, plantId: string, formerId: string, id: string) =>
  trx
    .updateTable('device')
    .set({ collectorId: id })
    .where('collectorId', '=', formerId)
    .where('plantId', '=', plantId)
    .execute();

/** The modules of an inverter feed the one that has replaced it. */
async function remount(trx: Db, { id, arrays }: Home, sn: string, by: string): Promise<void> {
  const known = JSON.parse(arrays ?? '[]') as readonly PlantArray[];
  if (!known.some((array) => array.sn === sn)) return;
  await trx
    .updateTable('plant')
    .set({
      arrays: JSON.stringify(
        known.map((array) => (array.sn === sn ? { ...array, sn: by } : array)),
      ),
    })
    .where('id', '=', id)
    .execute();
}
