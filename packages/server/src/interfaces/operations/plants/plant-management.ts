import type { InputOfOperation, PlantFacts } from '@helioport/contract';
import type { Account } from '../../../identity/accounts/accounts.ts';
import type { Act } from '../../../identity/accounts/audit.ts';
import { placeCollectors, placeDevices } from '../../../fleet/devices/placement.ts';
import { dayText } from '../../../platform/calendar/plant-calendar.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { undescribed, type PlantDescription } from '../../../fleet/plants/plant-facts.ts';
import { archivePlant, insertPlant, updatePlant } from '../../../fleet/plants/plants.ts';
import { setTariff } from '../../../fleet/plants/tariffs/prices.ts';
import { zoneOf } from '../../../fleet/plants/position-zone.ts';
import { invite, offerInstaller } from '../../../fleet/plants/invitations/invite.ts';
import { changeTimeZone } from '../../../fleet/plants/zones.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { newPlant, plantOf } from '../rights/plants.ts';

type PlantManagement =
  | 'addStation'
  | 'addStationBindCollector'
  | 'stationUpdate'
  | 'archiveStation';

/** Creation, change and archiving of plants by their owners. */
export function createPlantManagement(deps: OperationDependencies): HandlersOf<PlantManagement> {
  return {
    addStation: async (caller, { inverterSerials = [], collectorSerials = [], ...input }, once) => {
      return change(deps, caller, once, newPlant, async (trx, act, account) => {
        const home = await createPlant(trx, act, account, input);
        if (collectorSerials.length > 0) await placeCollectors(trx, act, home, collectorSerials);
        if (inverterSerials.length > 0) await placeDevices(trx, act, home, inverterSerials);
        return { plantId: home.id };
      });
    },

    addStationBindCollector: async (
      caller,
      { collectorSerials = [], importPricePerKwh, exportPricePerKwh, ...input },
      once,
    ) => {
      return change(deps, caller, once, newPlant, async (trx, act, account) => {
        const home = await createPlant(trx, act, account, input);
        for (const [use, pricePerKwh] of [
          ['import', importPricePerKwh],
          ['export', exportPricePerKwh],
        ] as const)
          if (pricePerKwh !== undefined)
            await setTariff(trx, act, home.id, use, { fromAt: 0, pricePerKwh });
        if (collectorSerials.length > 0) await placeCollectors(trx, act, home, collectorSerials);
        return { plantId: home.id };
      });
    },

    stationUpdate: async (caller, { id, timeZone, installerEmail, ...input }, once) =>
      change(deps, caller, once, plantOf({ id }), async (trx, act) => {
        await updatePlant(trx, act, id, { ...descriptionOf(input), facts: factsOf(input) });
        if (timeZone !== undefined) await changeTimeZone(trx, act, id, timeZone);
        if (installerEmail !== undefined) await offerInstaller(trx, act, id, installerEmail);
      }),

    archiveStation: async (caller, { id }, once) =>
      change(deps, caller, once, plantOf({ id }), (trx, act) => archivePlant(trx, act, id)),
  };
}

type NewPlantInput = Omit<
  InputOfOperation<'addStationBindCollector'>,
  'collectorSerials' | 'installedOn' | 'contribution' | 'importPricePerKwh' | 'exportPricePerKwh'
> & {
  readonly installedOn?: number | undefined;
};

/** Creates a plant. It belongs to the caller until the account that is named as its owner accepts it. */
async function createPlant(
  trx: Db,
  act: Act,
  caller: Account,
  input: NewPlantInput,
): Promise<{ id: string; ownerId: string }> {
  const { id: accountId } = caller;
  const { ownerId, installerEmail } = input;
  const isForAnother = ownerId !== undefined && ownerId !== accountId;
  // This refusal does not reveal whether the named account exists.
  if (isForAnother && caller.role !== 'installer') throw new Failure('accountUnknown');
  const zone = zoneOf(input);
  const id = await insertPlant(trx, act, {
    ...undescribed,
    ...descriptionOf(input),
    name: input.name,
    capacityKwp: input.capacityKwp,
    ownerId: accountId,
    installerId: null,
    timeZone: zone ?? caller.timeZone,
    facts: {
      ...factsOf(input),
      ...(zone === undefined && isForAnother && { zoneAwaitsOwner: true }),
    },
  });
  if (installerEmail !== undefined) await offerInstaller(trx, act, id, installerEmail);
  if (isForAnother)
    await invite(trx, act, {
      plantId: id,
      fromAccountId: accountId,
      to: { accountId: ownerId },
      kind: 'owner',
    });
  return { id, ownerId: accountId };
}

type Described =
  | Omit<InputOfOperation<'stationUpdate'>, 'id' | 'timeZone' | 'installerEmail'>
  | NewPlantInput;

/** The parameters that have columns of their own. */
const descriptionOf = (input: Described): Partial<PlantDescription> =>
  sent({
    name: input.name.trim(),
    capacityKwp: input.capacityKwp,
    currency: input.currency,
    pricePerKwh: input.pricePerKwh,
    address: input.address,
    latitude: input.latitude,
    longitude: input.longitude,
    tiltDegrees: input.tiltDegrees,
    azimuthDegrees: input.azimuthDegrees,
    nmiCode: input.nmiCode,
    type: input.type,
  });

/** The parameters that no query searches, kept together as facts. */
const factsOf = (input: Described & Partial<NewPlantInput>): PlantFacts =>
  sent({
    mobile: input.mobile,
    areaCode: input.areaCode,
    countryId: input.countryId,
    country: input.country,
    regionId: input.regionId,
    region: input.region,
    cityId: input.cityId,
    city: input.city,
    county: input.county,
    moduleCount: input.moduleCount,
    installerMobile: input.installerMobile,
    language: input.language,
    feedIn: input.feedIn,
    pictureName: input.pictureName,
    energyOffsetKwh: input.energyOffsetKwh,
    installedOn: input.installedOn === undefined ? undefined : dayText(input.installedOn),
  });

type Sent<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const sent = <T extends object>(values: T): Sent<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Sent<T>;

/** A day given as the number yyyymmdd, written as yyyy-MM-dd. */
