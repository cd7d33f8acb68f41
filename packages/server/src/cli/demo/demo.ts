import { STEP_MS, type InverterSpecification } from '@helioport/simulator';
import { insertAccount, type Role } from '../../accounts/accounts.ts';
import { makeVerifiers } from '../../accounts/passwords.ts';
import type { Act } from '../../accounts/audit.ts';
import { insertKeyPair } from '../../accounts/key-pairs.ts';
import type { Config } from '../../config/load.ts';
import { insertCollector } from '../../collectors/collectors.ts';
import { assignCollector, insertDevice, type NewDevice } from '../../devices/devices.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { IdSource } from '../../kernel/ids.ts';
import { randomAlphanumeric, type SecretBox } from '../../kernel/secrets.ts';
import { bindDevice } from '../../plants/bindings.ts';
import { insertPlant } from '../../plants/plants.ts';
import { setTariff } from '../../plants/tariffs/prices.ts';
import { sharePlant } from '../../plants/shares.ts';
import { tariffUses } from '../../plants/tariffs/tariffs.ts';
import type { Db } from '../../storage/database.ts';
import type { DemoCredentials, DemoPlant } from './demo-file.ts';
import { fleet, type FleetPlant } from './demo-fleet.ts';
import { spares } from './demo-values.ts';

/** Days of history that a new demo begins with. */
export const DEMO_DAYS = 30;
const DAY_MS = 86_400_000;

const PEOPLE = [
  { email: 'owner@demo.example', role: 'owner', timeZone: 'Europe/Berlin' },
  { email: 'installer@demo.example', role: 'installer', timeZone: 'America/Denver' },
] as const satisfies { email: string; role: Role; timeZone: string }[];

export interface SeedDemoContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly secretBox: SecretBox;
  readonly config: Pick<Config, 'legacyLogin'>;
}

/** Makes the demo's people, key pair, plants and devices, all or nothing. Gives what has to be remembered of them. */
export async function seedDemo({ db, clock, ids, secretBox, config }: SeedDemoContext): Promise<DemoCredentials> {
  const act: Act = { at: clock.now(), actor: 'operator', address: null, newId: ids };
  const people = PEOPLE.map(({ email, role }) => ({ email, role, password: randomAlphanumeric(16) }));
  const verifiers = await Promise.all(people.map(({ password }) => makeVerifiers(password, config.legacyLogin)));
  return db.transaction().execute(async (trx) => {
    const accountIds: string[] = [];
    for (const [i, person] of PEOPLE.entries()) accountIds.push((await insertAccount(trx, act, { ...person, ...verifiers[i]! })).id);
    const terms = { label: 'demo', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
    const { keyId, keySecret } = await insertKeyPair(trx, act, secretBox, accountIds[0]!, terms);
    const plants: DemoPlant[] = [];
    for (const plant of fleet) plants.push(await seedPlant(trx, act, accountIds[0]!, plant));
    await insertCollector(trx, act, { sn: spares.collectorSn, model: 'HC-WiFi', accountId: accountIds[0]! });
    await insertDevice(trx, act, { sn: spares.inverterSn, kind: 'inverter', model: 'HI-5K', ratedPowerW: 5000 });
    return { people, keyId, keySecret, startAt: Math.floor(act.at / STEP_MS) * STEP_MS - DEMO_DAYS * DAY_MS, reportedUntilAt: null, plants };
  });
}

async function seedPlant(trx: Db, act: Act, ownerId: string, plant: FleetPlant): Promise<DemoPlant> {
  const { name, address, currency, pricePerKwh, nmiCode, collectorSn, specification } = plant;
  const { place, timeZone, inverters, meterSn, weatherStationSn } = specification;
  const strings = inverters.flatMap((inverter) => inverter.strings);
  const plantId = await insertPlant(trx, act, {
    ownerId,
    name,
    address,
    currency,
    pricePerKwh,
    nmiCode,
    ...place,
    timeZone,
    type: inverters.some(({ battery }) => battery) ? 1 : 0,
    capacityKwp: strings.reduce((sum, { kwp }) => sum + kwp, 0),
    tiltDegrees: strings[0]!.tilt,
    azimuthDegrees: strings[0]!.azimuth,
    installerId: null,
  });
  for (const use of tariffUses) {
    const tariff = plant.tariffs?.[use];
    if (tariff) await setTariff(trx, act, plantId, use, { fromAt: 0, ...tariff });
  }
  const { id: collectorId, token } = await insertCollector(trx, act, { sn: collectorSn, model: 'HC-WiFi' });
  await bindDevice(trx, act, collectorId, plantId);
  const add = (device: NewDevice, facts: object = {}): Promise<void> => addDevice(trx, act, { device, facts, collectorId, plantId, plant });
  for (const inverter of inverters) await add({ sn: inverter.sn, kind: 'inverter', ratedPowerW: inverter.ratedPowerW }, factsOf(inverter));
  if (meterSn !== undefined) await add({ sn: meterSn, kind: 'epm' });
  if (weatherStationSn !== undefined) await add({ sn: weatherStationSn, kind: 'weather' });
  if (plant.sharedWithInstaller) await sharePlant(trx, act, plantId, PEOPLE[1].email, 'control');
  return { plantId, name, collectorSn, token, specification };
}

const factsOf = ({ phases, strings, battery }: InverterSpecification): object => ({ phases, dcInputs: strings.length, storage: battery !== undefined });

interface Addition {
  device: NewDevice;
  facts: object;
  collectorId: string;
  plantId: string;
  plant: FleetPlant;
}

async function addDevice(trx: Db, act: Act, { device, facts, collectorId, plantId, plant }: Addition): Promise<void> {
  const id = await insertDevice(trx, act, { ...device, model: plant.models[device.sn] ?? null });
  await trx
    .updateTable('device')
    .set({ facts: JSON.stringify(facts) })
    .where('id', '=', id)
    .execute();
  await assignCollector(trx, id, collectorId);
  await bindDevice(trx, act, id, plantId);
}
