import type { InputOfOperation } from '@helioport/contract';
import { getAccountByEmail } from '../../../identity/accounts/accounts.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { listKnownPlants } from '../../../fleet/plants/fleet/plant-list.ts';
import { undescribed, type PlantDescription } from '../../../fleet/plants/plant-facts.ts';
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
      { plantId, timeZone, unchangedSince, withoutPlace, ...facts },
      once,
    ) => {
      const isOfInstallation =
        timeZone === undefined &&
        !withoutPlace &&
        Object.keys(given(facts)).every((field) => INSTALLERS.has(field));
      const right = plantOf({ id: plantId }, isOfInstallation ? 'install' : 'manage');
      return change(deps, caller, once, right, async (trx, act, { updatedAt }) => {
        if (unchangedSince !== undefined && updatedAt !== unchangedSince)
          throw new Failure('changedMeanwhile');
        await updatePlant(trx, act, plantId, {
          ...given(facts),
          ...(withoutPlace && { latitude: null, longitude: null }),
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

type Facts = Omit<
  InputOfOperation<'plant/edit'>,
  'plantId' | 'timeZone' | 'unchangedSince' | 'withoutPlace'
>;

/** Leaves out the facts that were not given. */
const given = (facts: Partial<Facts>): Partial<PlantDescription> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
