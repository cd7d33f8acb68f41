import type { InputOfOperation, PlantFacts } from '@helioport/contract';
import { findAccount, findAccountByEmail, type Account } from '../../accounts/accounts.ts';
import type { Act } from '../../accounts/audit.ts';
import type { Caller } from '../../accounts/caller.ts';
import { placeCollectors, placeDevices } from '../../devices/placement.ts';
import { Failure } from '../../kernel/failure.ts';
import { getPlant, reachOf } from '../../plants/access.ts';
import type { PlantDescription } from '../../plants/plant-facts.ts';
import { archivePlant, insertPlant, updatePlant } from '../../plants/plants.ts';
import { zoneAt } from '../../plants/position-zone.ts';
import { changeInstaller } from '../../plants/shares.ts';
import { changeTimeZone } from '../../plants/zones.ts';
import type { Db } from '../../storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { lockManagedPlant } from './managed-plant.ts';

type PlantManagement = 'addStation' | 'addStationBindCollector' | 'stationUpdate' | 'archiveStation';

/** Plants are created, changed and ended by their owners. */
export function createPlantManagement(deps: OperationDependencies): HandlersOf<PlantManagement> {
  return {
    addStation: async (caller, { inverterSerials = [], collectorSerials = [], ...input }, once) => {
      refuseNewPlants(caller);
      return change(deps, caller, once, async (trx, act) => {
        const home = await createPlant(trx, act, caller, input);
        if (collectorSerials.length > 0) await placeCollectors(trx, act, home, collectorSerials);
        if (inverterSerials.length > 0) await placeDevices(trx, act, home, inverterSerials);
        return { plantId: home.id };
      });
    },

    addStationBindCollector: async (caller, { collectorSerials = [], ...input }, once) => {
      refuseNewPlants(caller);
      return change(deps, caller, once, async (trx, act) => {
        const home = await createPlant(trx, act, caller, input);
        if (collectorSerials.length > 0) await placeCollectors(trx, act, home, collectorSerials);
        return { plantId: home.id };
      });
    },

    stationUpdate: async (caller, { id, timeZone, installerEmail, ...input }, once) => {
      reachOf(caller, 'manage');
      return change(deps, caller, once, async (trx, act) => {
        await lockManagedPlant(trx, caller, { id });
        await updatePlant(trx, act, id, { ...descriptionOf(input), facts: factsOf(input) });
        if (timeZone !== undefined) await changeTimeZone(trx, act, id, timeZone);
        if (installerEmail !== undefined) await changeInstaller(trx, act, id, await installerBy(trx, installerEmail));
      });
    },

    archiveStation: async (caller, { id }, once) => {
      reachOf(caller, 'manage');
      return change(deps, caller, once, async (trx, act) => {
        await getPlant(trx, caller, id, 'manage');
        await archivePlant(trx, act, id);
      });
    },
  };
}

/** A key that is restricted to some plants would not see a new one. */
function refuseNewPlants(caller: Caller): void {
  if (reachOf(caller, 'manage').plantIds !== null) throw new Failure('noPermission');
}

type NewPlantInput = Omit<InputOfOperation<'addStationBindCollector'>, 'collectorSerials' | 'installedOn' | 'contribution'> & {
  readonly installedOn?: number | undefined;
};

const DEFAULT_CURRENCY = 'EUR';

async function createPlant(trx: Db, act: Act, { accountId }: Caller, input: NewPlantInput): Promise<{ id: string; ownerId: string }> {
  if (accountId === null) throw new Failure('noPermission');
  const owner = await ownerOf(trx, accountId, input.ownerId);
  const { latitude, longitude, installerEmail } = input;
  const there = latitude === undefined || longitude === undefined ? undefined : zoneAt(latitude, longitude);
  const id = await insertPlant(trx, act, {
    ...unknownDescription,
    ...descriptionOf(input),
    name: input.name,
    capacityKwp: input.capacityKwp,
    ownerId: owner.id,
    installerId: null,
    timeZone: input.timeZone ?? there ?? owner.timeZone,
    facts: factsOf(input),
  });
  const installerId = installerEmail === undefined ? accountId : await installerBy(trx, installerEmail);
  if (installerEmail !== undefined || installerId !== owner.id) await changeInstaller(trx, act, id, installerId);
  return { id, ownerId: owner.id };
}

/** The caller, or the account that an installer names. Throws accountUnknown, for others than installers whatever they name. */
async function ownerOf(trx: Db, accountId: string, named: string | undefined): Promise<Account> {
  const caller = (await findAccount(trx, accountId))!;
  if (named === undefined || named === accountId) return caller;
  const owner = caller.role === 'installer' ? await findAccount(trx, named) : undefined;
  if (!owner || owner.disabledAt !== null) throw new Failure('accountUnknown');
  return owner;
}

/** Id of the account with an e-mail address. Throws accountUnknown, for one that is disabled as well. */
async function installerBy(trx: Db, installerEmail: string): Promise<string> {
  const account = await findAccountByEmail(trx, installerEmail);
  if (!account || account.disabledAt !== null) throw new Failure('accountUnknown', { data: { field: 'installerEmail', email: installerEmail } });
  return account.id;
}

const unknownDescription = {
  type: 0,
  currency: DEFAULT_CURRENCY,
  pricePerKwh: null,
  address: null,
  latitude: null,
  longitude: null,
  tiltDegrees: null,
  azimuthDegrees: null,
  nmiCode: null,
} satisfies Partial<PlantDescription>;

type Described = Omit<InputOfOperation<'stationUpdate'>, 'id' | 'timeZone' | 'installerEmail'> | NewPlantInput;

/** Of what was sent, that which has columns of its own. */
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

/** Of what was sent, that which no query asks for. */
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

const sent = <T extends object>(values: T): Sent<T> => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Sent<T>;

/** yyyymmdd as yyyy-MM-dd. */
const dayText = (day: number): string => String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
