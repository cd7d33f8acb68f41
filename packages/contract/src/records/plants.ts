import { plantConnections, CONNECTIONS_IN_WORDS } from './plant-connection.ts';
import { an } from './an.ts';
import { energies, periodAmounts, values } from './energies.ts';
import { maybe, record, type InOf } from './kind.ts';
import { NOON, energiesOfHouse } from './house.ts';

export const states = ['online', 'offline', 'alarm'] as const;
export type PresenceState = (typeof states)[number];

/** States of a plant as people see them: without devices, it is still being built. */
export const plantStates = ['online', 'offline', 'alarm', 'building'] as const;
export type PlantState = (typeof plantStates)[number];

const zone = record('time zone of the plant, at the time of the answer', {
  name: an.text('IANA name', 'Europe/Berlin'),
  standardOffsetMinutes: an.minutes('by how much standard time is ahead of UTC', 60),
  daylightMinutes: an.minutes('daylight-saving time in force now; 0 if none', 0),
});
export type ZoneRecord = InOf<typeof zone>;

export const worthParts = ['savedAndSold', 'saved', 'sold', 'produced'] as const;
/** What a worth consists of. */
export type WorthOf = (typeof worthParts)[number];

const WORTH =
  'what did not have to be bought, at the price of buying, plus what was received for energy sold; a tariff per kWh produced is an extra, and counts only where neither is known, so that no energy counts twice';

const plantWorth = record(`what the recorded energy was worth: ${WORTH}`, {
  sum: periodAmounts('the amounts', { today: 1.95, month: 15.51, year: 1408.95, total: 4117.36 }),
  of: an.word(worthParts, 'what they consist of', 'savedAndSold'),
  sinceDay: an.day('the first day that counts, yyyymmdd', 20_220_415),
});
export type PlantWorth = InOf<typeof plantWorth>;

const person = record('a person or a company', {
  id: an.text('id of the account', '1300386381676640002'),
  name: maybe(an.text('name', 'Sunwright')),
  email: maybe(an.text('e-mail address', 'office@sunwright.example')),
  mobile: maybe(an.text('telephone')),
});
export type PersonRecord = InOf<typeof person>;

const place = {
  country: maybe(an.text('country')),
  region: maybe(an.text('region')),
  city: maybe(an.text('city')),
  county: maybe(an.text('county')),
  feedIn: maybe(an.number('0 full feed-in, 1 self-use, 2 off-grid')),
};

/** Facts of a plant that no query filters by: the column `plant.facts`. */
const plantFacts = record('what its people say of it', {
  ...place,
  country: { ...place.country, example: 'Germany' },
  city: { ...place.city, example: 'Berlin' },
  feedIn: { ...place.feedIn, example: 1 },
  mobile: maybe(an.text('telephone at the plant')),
  countryId: maybe(an.text('id of the country', '1')),
  regionId: maybe(an.text('id of the region')),
  cityId: maybe(an.text('id of the city')),
  areaCode: maybe(an.text('area code')),
  installerMobile: maybe(an.text('telephone of the installer')),
  moduleCount: maybe(an.number('number of modules', 24)),
  pictureName: maybe(an.text('name of a picture')),
  energyOffsetKwh: maybe(an.kwh('produced before the plant was recorded')),
  language: maybe(an.text('language')),
  installedOn: maybe(an.text('when it was installed')),
  remarks: maybe(an.texts('remarks')),
  connectedAt: maybe(an.instant('when it was first connected, as stated by its owner')),
});
/**
 * `zoneAwaitsOwner`: whether the time zone was only assumed when the plant was created for another account. When that account accepts the plant, the
 * plant gets the account's time zone. It is nobody else's business.
 */
export type PlantFacts = InOf<typeof plantFacts> & {
  readonly zoneAwaitsOwner?: boolean | null | undefined;
};

/** The time and size of what was highest today. */
export const peak = {
  peakPowerW: maybe(an.watts('highest AC power of today', 3650)),
  peakPowerAt: maybe(an.instant('when that was', NOON - 1_200_000)),
};
export const beginnings = {
  firstReportAt: maybe(an.instant('time of the first reading', 1_700_000_400_000)),
  firstProductionAt: maybe(an.instant('time of the first power produced', 1_700_000_400_000)),
};
export const income = maybe(
  periodAmounts('value of the energy produced', {
    today: 0.72,
    month: 5.02,
    year: 608.85,
    total: 1761.42,
  }),
);

const id = an.text('id of the plant', '1300386381676644416');
const name = an.text('name of the plant', 'Meadow Lane 4');
const ownerId = an.text('id of its owner’s account', '1300386381676640001');
const type = an.number('kind: 0 grid, 1 storage, 3 EPM ...', 1);
const currency = an.text('currency of its amounts', 'EUR');
const address = maybe(an.text('address', 'Meadow Lane 4, 10115 Berlin'));
const nmiCode = maybe(an.text('meter id of an Australian plant'));

/** Where a plant's figures come from, and of when they are. */
export const connectionFields = {
  connection: maybe(
    an.word(plantConnections, `how it is connected: ${CONNECTIONS_IN_WORDS}`, 'live'),
  ),
  measuredAt: maybe(
    an.instant('time of the newest reading of the devices that measure power', NOON),
  ),
};

export const plant = record('a plant', {
  id,
  ownerId,
  name,
  type,
  capacityKwp: an.kwp('rated power of its modules', 9.84),
  currency,
  pricePerKwh: maybe(an.money('price of a kWh produced now; some hours may have others', 0.082)),
  buyPricePerKwh: maybe(an.money('price of a kWh bought now')),
  sellPricePerKwh: maybe(an.money('price of a kWh sold now')),
  address,
  latitude: maybe(an.degrees('latitude, + north', 52.53)),
  longitude: maybe(an.degrees('longitude, + east', 13.38)),
  tiltDegrees: maybe(an.degrees('tilt of the modules', 30)),
  azimuthDegrees: maybe(an.degrees('azimuth of the modules', 180)),
  nmiCode,
  installer: maybe(person),
  zone,
  facts: plantFacts,
  createdAt: an.instant('when it was created', 1_700_000_000_000),
  updatedAt: an.instant('when its data were changed last', 1_790_000_000_000),
  state: an.word(states, 'state; a plant without devices is offline', 'online'),
  abnormallyOffline: maybe(
    an.flag(
      'whether it is offline when it should be online, and not merely because it is night',
      false,
    ),
  ),
  values: values('latest values; powers are the sums over its devices', {
    acPowerW: 3200.5,
    gridPowerW: 1500,
    loadPowerW: 900.5,
    batteryPowerW: 800,
    batterySocPercent: 76,
  }),
  energies: energies(energiesOfHouse),
  income,
  lastReportAt: maybe(an.instant('time of the last reading', NOON)),
  ...connectionFields,
  worth: maybe(plantWorth),
  ...peak,
  ...beginnings,
  inverterCount: maybe(an.number('number of inverters', 1)),
  onlineInverterCount: maybe(an.number('number of inverters that are not offline', 1)),
  epmCount: maybe(an.number('number of EPM units')),
  weatherCount: maybe(an.number('number of weather stations')),
  alarmCount: maybe(an.number('number of pending alarms', 0)),
});
export type PlantRecord = Omit<InOf<typeof plant>, 'facts'> & { readonly facts: PlantFacts };

/** Measured values and energies of a plant or a device. */
export type Measured = Pick<PlantRecord, 'values' | 'energies' | 'income' | 'lastReportAt'>;

/** The plant as shown in the records of its devices. */
export const plantSummary = record('the plant', {
  id,
  name,
  ownerId,
  type,
  currency,
  zone,
  address,
  nmiCode,
  facts: maybe(record('where it is', place)),
});
export type PlantSummary = InOf<typeof plantSummary>;
