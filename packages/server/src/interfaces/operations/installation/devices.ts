import {
  findDevice,
  insertDevice,
  rateDevices,
  assignCollector,
  listDevices,
  setDeviceFacts,
} from '../../../fleet/devices/devices.ts';
import { moveDevices } from '../../../fleet/devices/placement.ts';
import { Failure, invalidValue, refusedNow } from '../../../platform/kernel/failure.ts';
import { bindDevice } from '../../../fleet/plants/bindings.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { operators } from '../rights/accounts.ts';
import { within } from '../rights/plants.ts';

/** Devices of the whole installation, for the operator. */
export function createInstallationDevices(
  deps: OperationDependencies,
): HandlersOf<'device/list' | 'device/add' | 'device/move'> {
  const { db } = deps;
  return {
    async 'device/list'(_caller, { plantId }) {
      const devices = await listDevices(db, plantId === undefined ? {} : { plantId });
      return devices.map(
        ({ id, sn, kind, name, model, plantId: place, collectorSn, ratedPowerW, createdAt }) => ({
          id,
          sn,
          kind,
          name,
          model,
          plantId: place,
          collectorSn,
          ratedPowerW,
          createdAt,
        }),
      );
    },

    'device/add': async (
      caller,
      { plantId, kind, sn, collector, model, name, ratedPowerW, phases, dcInputs, storage },
      once,
    ) =>
      change(deps, caller, once, operators, async (trx, act) => {
        const known = await findDevice(trx, sn);
        if (known && known.kind !== kind)
          throw refusedNow('kind', `${known.kind}, which this serial number is known as`);
        const id =
          known?.id ??
          (await insertDevice(trx, act, {
            sn,
            kind,
            model: model ?? null,
            name: name ?? null,
            ratedPowerW: ratedPowerW ?? null,
          }));
        // Before the device is written, since plants must not be locked after devices.
        if (plantId !== undefined) await bindDevice(trx, act, id, plantId);
        if (known && ratedPowerW !== undefined) await rateDevices(trx, act, [id], ratedPowerW);
        if (phases === 2) throw invalidValue('phases', '1 or 3');
        const facts = {
          ...(phases && { phases: phases as 1 | 3 }),
          ...(dcInputs !== undefined && { dcInputs }),
          ...(storage !== undefined && { storage }),
        };
        await setDeviceFacts(trx, id, facts);
        if (collector !== undefined) {
          const reporter = await findDevice(trx, collector);
          if (reporter?.kind !== 'collector') throw new Failure('collectorUnknown');
          await assignCollector(trx, id, reporter.id);
        }
        return { id, sn };
      }),

    'device/move': async (caller, { sn, plantId, withDevices = false }, once) =>
      change(deps, caller, once, within('manage'), async (trx, act, reach) => ({
        moved: await moveDevices(trx, act, reach, sn, plantId, withDevices),
      })),
  };
}
