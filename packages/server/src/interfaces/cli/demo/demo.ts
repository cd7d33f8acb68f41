import { DAY_MS } from '@helioport/contract/durations';
import { tariffUses, type AccountRole } from '@helioport/contract';
import { STEP_MS, type Setting } from '@helioport/simulator';
import { POWER_LIMIT } from '../../../control/commands/power-limits.ts';
import { randomAlphanumeric } from '../../../platform/kernel/secrets.ts';
import type { OperatorDoor } from '../../operations/operator-door.ts';
import type { DemoApplication, DemoCredentials, DemoPlant } from './demo-file.ts';
import { application, fleet, type FleetPlant } from './demo-fleet.ts';
import { spares } from './demo-values.ts';

/** Days of history with which a new demo starts. */
export const DEMO_DAYS = 30;

const PEOPLE = [
  { email: 'owner@demo.example', role: 'owner', timeZone: 'Europe/Berlin' },
  { email: 'installer@demo.example', role: 'installer', timeZone: 'America/Denver' },
] as const satisfies { email: string; role: AccountRole; timeZone: string }[];

/** Creates the demo's people, key pair, plants, devices and application, all or nothing. Resolves to the facts that the demo has to remember. */
export const seedDemo = (operator: OperatorDoor, now: number): Promise<DemoCredentials> =>
  operator.together(async (door) => {
    const people: { email: string; role: string; password: string }[] = [];
    for (const person of PEOPLE) {
      const password = randomAlphanumeric(16);
      await door.call('user/add', { ...person, password });
      people.push({ email: person.email, role: person.role, password });
    }
    const { keyId, keySecret } = await door.call('key/create', {
      email: PEOPLE[0].email,
      label: 'demo',
    });
    const plants: DemoPlant[] = [];
    for (const plant of fleet) plants.push(await seedPlant(door, plant));
    await door.call('collector/add', {
      sn: spares.collectorSn,
      model: 'HC-WiFi',
      owner: PEOPLE[0].email,
    });
    await door.call('device/add', {
      sn: spares.inverterSn,
      kind: 'inverter',
      model: 'HI-5K',
      ratedPowerW: 5000,
    });
    const startAt = Math.floor(now / STEP_MS) * STEP_MS - DEMO_DAYS * DAY_MS;
    return {
      people,
      keyId,
      keySecret,
      startAt,
      reportedUntilAt: null,
      plants,
      settings: forgottenLimits(startAt),
      application: await registerApplication(door),
    };
  });

/** The limits that somebody has forgotten, as settings of the inverters. */
export const forgottenLimits = (startAt: number): Setting[] =>
  fleet.flatMap(({ forgottenLimit: limit }) =>
    limit
      ? [
          {
            sn: limit.sn,
            parameter: POWER_LIMIT,
            value: String(limit.percent),
            at: startAt + limit.day * DAY_MS,
          },
        ]
      : [],
  );

/** Registers the demo's application. */
export async function registerApplication(door: OperatorDoor): Promise<DemoApplication> {
  const { name, purpose, redirectUri } = application;
  const { clientId, clientSecret } = await door.call('application/create', {
    name,
    purpose,
    redirectUri,
  });
  return { clientId, clientSecret };
}

async function seedPlant(door: OperatorDoor, plant: FleetPlant): Promise<DemoPlant> {
  const { name, address, currency, pricePerKwh, collectorSn, overMqtt, specification, scenarios } =
    plant;
  const { place, timeZone, inverters, meterSn, weatherStationSn } = specification;
  const strings = inverters.flatMap((inverter) => inverter.strings);
  const { plantId } = await door.call('plant/add', {
    owner: PEOPLE[0].email,
    name,
    address,
    currency,
    pricePerKwh,
    nmiCode: plant.nmiCode ?? undefined,
    ...place,
    timeZone,
    type: inverters.some(({ battery }) => battery) ? 1 : 0,
    capacityKwp: strings.reduce((sum, { kwp }) => sum + kwp, 0),
    tiltDegrees: strings[0]!.tilt,
    azimuthDegrees: strings[0]!.azimuth,
  });
  for (const use of tariffUses) {
    const tariff = plant.tariffs?.[use];
    if (tariff) await door.call('tariff/set', { plantId, use, from: 'beginning', ...tariff });
  }
  const {
    id: collectorId,
    tokenId,
    token,
  } = await door.call('collector/add', { sn: collectorSn, model: 'HC-WiFi', plantId });
  const placed = { plantId, collector: collectorSn };
  for (const { sn, ratedPowerW, phases, strings: inputs, battery } of inverters) {
    const facts = { phases, dcInputs: inputs.length, storage: battery !== undefined };
    await door.call('device/add', {
      ...placed,
      kind: 'inverter',
      sn,
      model: plant.models[sn],
      ratedPowerW,
      ...facts,
    });
  }
  if (meterSn !== undefined)
    await door.call('device/add', {
      ...placed,
      kind: 'epm',
      sn: meterSn,
      model: plant.models[meterSn],
    });
  if (weatherStationSn !== undefined)
    await door.call('device/add', {
      ...placed,
      kind: 'weather',
      sn: weatherStationSn,
      model: plant.models[weatherStationSn],
    });
  if (plant.sharedWithInstaller)
    await door.call('share/give', { plantId, email: PEOPLE[1].email, level: 'control' });
  return {
    plantId,
    name,
    collectorSn,
    token,
    ...(overMqtt && { mqtt: { collectorId, tokenId } }),
    specification,
    ...(scenarios && { scenarios }),
  };
}
