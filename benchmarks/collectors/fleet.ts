import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { insertAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector, insertDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevices } from '../../packages/server/src/fleet/plants/bindings.ts';
import { insertPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { barePlant } from '../../test/support/world.ts';

/** A collector that may report, and its devices. */
export interface FleetCollector {
  readonly id: string;
  readonly tokenId: string;
  readonly token: string;
  readonly sns: readonly string[];
}

export const DEVICES_EACH = 3;
const AT_ONCE = 200;

/** Registers collectors with three inverters each, one to a plant. */
export async function addFleet(db: Db, count: number): Promise<FleetCollector[]> {
  const newId = createIdSource(systemClock);
  const act = { at: systemClock.now(), actor: 'operator' as const, address: null, newId };
  const owner = await db.transaction().execute((trx) =>
    insertAccount(trx, act, {
      email: 'owner@example.com',
      role: 'owner',
      timeZone: 'UTC',
      passwordHash: '',
      legacyHash: null,
    }),
  );
  const collectors: FleetCollector[] = [];
  while (collectors.length < count) {
    await db.transaction().execute(async (trx) => {
      for (let i = 0; i < AT_ONCE && collectors.length < count; i++) {
        const n = String(collectors.length).padStart(6, '0');
        const plantId = await insertPlant(trx, act, {
          ...barePlant,
          capacityKwp: 30,
          ownerId: owner.id,
          name: `Plant ${n}`,
        });
        const { id, tokenId, token } = await addCollector(trx, act, {
          sn: `BENCH-C-${n}`,
          plantId,
        });
        const sns = Array.from({ length: DEVICES_EACH }, (_, k) => `BENCH-${n}-${k + 1}`);
        const deviceIds: string[] = [];
        for (const sn of sns)
          deviceIds.push(
            await insertDevice(trx, act, { sn, kind: 'inverter', ratedPowerW: 10_000 }),
          );
        await bindDevices(trx, act, deviceIds, plantId);
        for (const deviceId of deviceIds) await assignCollector(trx, deviceId, id);
        collectors.push({ id, tokenId, token, sns });
      }
    });
  }
  return collectors;
}
