import { getAccountByEmail } from '../../../identity/accounts/accounts.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { MAIN_DATABASE, whereSeriesAre } from '../../../measurements/series/home.ts';
import {
  readRetention,
  type AskedRetention,
} from '../../../measurements/bindings/reading-retention.ts';
import { listKnownPlants } from '../../../fleet/plants/fleet/plant-list.ts';
import { undescribed } from '../../../fleet/plants/plant-facts.ts';
import { zoneOf } from '../../../fleet/plants/position-zone.ts';
import { insertPlant, transferPlant, updatePlant } from '../../../fleet/plants/plants.ts';
import { appointInstaller } from '../../../fleet/plants/shares.ts';
import { changeTimeZone } from '../../../fleet/plants/zones.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { endFormerControl } from '../plants/changed-hands.ts';
import { operators } from '../rights/accounts.ts';
import { plantOf } from '../rights/plants.ts';

/** Plants of the whole installation, for the operator; owners may edit the facts of their own plants. */
export function createInstallationPlants(
  deps: OperationDependencies,
): HandlersOf<'plant/list' | 'plant/add' | 'plant/edit' | 'plant/transfer'> {
  const { db } = deps;
  const askedRetention = async (trx: Db, asked: AskedRetention) => {
    const read = readRetention(asked, deps.readingsKept);
    const field = Object.keys(given(asked))[0];
    if (field !== undefined && (await whereSeriesAre(trx, MAIN_DATABASE)) !== MAIN_DATABASE)
      throw refusedNow(field, 'nothing, since readings are in another engine than the database');
    return read;
  };
  return {
    'plant/list': async (_caller, { owner }) =>
      listKnownPlants(
        db,
        owner === undefined ? undefined : (await getAccountByEmail(db, owner)).id,
      ),

    'plant/add': async (
      caller,
      { owner: address, name, capacityKwp, timeZone, installer: installerAddress, ...facts },
      once,
    ) =>
      change(deps, caller, once, operators, async (trx, act) => {
        const owner = await getAccountByEmail(trx, address);
        const installer =
          installerAddress === undefined
            ? undefined
            : await getAccountByEmail(trx, installerAddress);
        const plantId = await insertPlant(trx, act, {
          ...undescribed,
          ...given(facts),
          name,
          capacityKwp,
          ownerId: owner.id,
          installerId: null,
          timeZone: zoneOf({ timeZone, ...facts }) ?? owner.timeZone,
        });
        if (installer) await appointInstaller(trx, act, plantId, installer.id);
        return { plantId };
      }),

    'plant/edit': async (
      caller,
      {
        plantId,
        timeZone,
        unchangedSince,
        withoutPlace,
        readingRetention,
        readingThinning,
        ...facts
      },
      once,
    ) => {
      const asked = { readingRetention, readingThinning };
      const isOfInstallation =
        timeZone === undefined &&
        Object.keys(given(asked)).length === 0 &&
        !withoutPlace &&
        Object.keys(given(facts)).every((field) => INSTALLERS.has(field));
      const right = plantOf({ id: plantId }, isOfInstallation ? 'install' : 'manage');
      return change(deps, caller, once, right, async (trx, act, { updatedAt }) => {
        if (unchangedSince !== undefined && updatedAt !== unchangedSince)
          throw new Failure('changedMeanwhile');
        await updatePlant(trx, act, plantId, {
          ...given(facts),
          ...(withoutPlace && { latitude: null, longitude: null }),
          ...(await askedRetention(trx, asked)),
        });
        if (timeZone !== undefined) await changeTimeZone(trx, act, plantId, timeZone);
      });
    },

    'plant/transfer': async (caller, { plantId, owner }, once) =>
      change(deps, caller, once, operators, async (trx, act) => {
        await transferPlant(trx, act, plantId, (await getAccountByEmail(trx, owner)).id);
        await endFormerControl(trx, act, plantId);
      }),
  };
}

/** What is said of the modules, which those who install a plant know best. */
const INSTALLERS: ReadonlySet<string> = new Set(['capacityKwp', 'tiltDegrees', 'azimuthDegrees']);

/** Leaves out the facts that were not given. */
const given = <T extends object>(facts: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as never;
