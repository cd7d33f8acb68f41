import { exampleCollector, exampleInverter, examplePlant } from '../examples.ts';
import { createdId, createdIdText, nothing } from '../compat/field-kinds/containers.ts';
import { defineOperation } from '../operation.ts';
import { meaning, required } from '../parameters.ts';
import { plantKey } from '../requests.ts';
import {
  code,
  currency,
  day,
  distinctList,
  flag,
  id,
  integer,
  number,
  textInput,
  timeZone,
} from '../scalars.ts';

// Plant management is for user-level callers only. interface W2
const common = {
  family: 'management',
  permission: 'manage',
  write: true,
  doors: ['signed', 'portal'],
} as const;

const name = meaning('name of the plant', textInput(100, 'stationName'));
const capacityKwp = meaning(
  'rated power of the modules in kWp',
  number({ min: 0, max: 10_000_000 }, 'capacity'),
);
const pricePerKwh = meaning(
  'income per kWh produced, in the plant’s currency; a new price applies from now on, a plant’s first price also to the past',
  number({ min: 0, max: 1_000_000 }, 'price'),
);
const priceSinceEver = (what: string, wireName: 'importPrice' | 'exportPrice') =>
  meaning(
    `an addition of this service: ${what}, in the plant’s currency, at any time`,
    number({ min: 0, max: 1_000_000 }, wireName),
  );
const address = meaning('address', textInput(300, 'addr'));
const plantCurrency = meaning('currency of the plant', currency('money'));
const serials = (words: string) => meaning(words, distinctList(1000, 'sn', 'snList'));

/** Parameters of all three operations that create or change a plant. */
const facts = {
  mobile: meaning(
    'phone number of the owner, stored as sent; an account is named by `userId`',
    textInput(40, 'mobile'),
  ),
  latitude: meaning('latitude, + north', number({ min: -90, max: 90 }, 'latitude')),
  longitude: meaning('longitude, + east', number({ min: -180, max: 180 }, 'longitude')),
  tiltDegrees: meaning('tilt of the modules in degrees', number({ min: 0, max: 90 }, 'dip')),
  azimuthDegrees: meaning(
    'azimuth of the modules in degrees',
    number({ min: -360, max: 360 }, 'azimuth'),
  ),
  areaCode: meaning('code of the area', textInput(40, 'gdAreaCode')),
  countryId: meaning('country', textInput(40, 'country')),
  country: meaning('name of the country', textInput(100, 'countryStr')),
  regionId: meaning('region', textInput(40, 'region')),
  region: meaning('name of the region', textInput(100, 'regionStr')),
  cityId: meaning('city', textInput(40, 'city')),
  city: meaning('name of the city', textInput(100, 'cityStr')),
  county: meaning('name of the county', textInput(100, 'countyStr')),
  moduleCount: meaning('number of modules', integer({ min: 0, max: 100_000_000 }, 'module')),
  // `installerEmail ` with a trailing space occurs in the examples of the existing interface.
  installerEmail: meaning(
    'e-mail of the installer, who is invited: on acceptance, that account gets a share with control, and the share of the previous installer ends',
    textInput(254, 'installerEmail', 'installerEmail '),
  ),
  installerMobile: meaning('phone number of the installer', textInput(40, 'installerMobile')),
  nmiCode: meaning('meter id of an Australian plant', code(20, 'nmiCode', 'nmicode')),
  language: meaning('language of the owner', textInput(20, 'language')),
  type: meaning(
    'kind of plant, 0 to 11 as in `stationTypeNew`',
    integer({ min: 0, max: 11 }, 'type'),
  ),
  feedIn: meaning(
    '0 full feed-in, 1 self-use, 2 off-grid',
    integer({ min: 0, max: 2 }, 'synchronizationType'),
  ),
  daylightSwitch: meaning(
    'accepted but ignored: daylight-saving time follows the zone',
    flag('daylightSwitch'),
  ),
};

const zone = timeZone('timeZoneId');

const newPlantFacts = {
  ...facts,
  timeZone: meaning(
    'an addition of this service: time zone of the plant; by default, the zone at its position (near a border, possibly that of the neighbouring country), else that of its owner, which the plant takes over when the owner accepts it',
    zone,
  ),
  ownerId: meaning(
    'id of the account that is to own the plant. An installer may name another account, which is invited: on acceptance it owns the plant, and the caller becomes its installer; until then, the plant is the caller’s',
    id('userId'),
  ),
  pictureName: meaning('name of the picture', textInput(200, 'picName')),
  energyOffsetKwh: meaning(
    'energy produced before the plant was connected, in kWh',
    number({ min: 0, max: 1e12 }, 'offset'),
  ),
};

export const addStation = defineOperation({
  ...common,
  id: 'addStation',
  summary: 'Creates a plant that belongs to the caller, and binds collectors or inverters to it.',
  description: 'All or nothing. A key that is restricted to certain plants cannot create one.',
  request: {
    name: required(name),
    capacityKwp: required(capacityKwp),
    currency: required(plantCurrency),
    address: required(address),
    pricePerKwh: required(pricePerKwh),
    inverterSerials: meaning(
      'serial numbers of inverters to bind; not together with `collectorSn`',
      distinctList(1000, 'inverterSn'),
    ),
    collectorSerials: meaning(
      'serial numbers of collectors to bind, with the devices that report through them; not together with `inverterSn`',
      distinctList(1000, 'collectorSn'),
    ),
    ...newPlantFacts,
  },
  atMostOneOf: ['inverterSerials', 'collectorSerials'],
  allOrNoneOf: ['latitude', 'longitude'],
  response: createdId,
  errors: [
    'missingParameter',
    'invalidValue',
    'noPermission',
    'deviceAlreadyBound',
    'collectorUnknown',
    'accountUnknown',
  ],
  example: {
    request: {
      stationName: 'Meadow Lane 4',
      capacity: 9.84,
      money: 'EUR',
      addr: 'Meadow Lane 4, 10115 Berlin',
      price: 0.082,
      collectorSn: exampleCollector.sn,
    },
    data: createdId.project({ plantId: examplePlant.id }),
  },
});

export const addStationBindCollector = defineOperation({
  ...common,
  id: 'addStationBindCollector',
  summary: 'Creates a plant that belongs to the caller, and binds collectors to it.',
  description: 'All or nothing. A key that is restricted to certain plants cannot create one.',
  request: {
    name: required(name),
    capacityKwp: required(capacityKwp),
    collectorSerials: serials(
      'serial numbers of the collectors to bind, with the devices that report through them',
    ),
    currency: meaning('currency of the plant; EUR by default', currency('money')),
    address,
    pricePerKwh,
    importPricePerKwh: priceSinceEver('cost per kWh bought', 'importPrice'),
    exportPricePerKwh: priceSinceEver('income per kWh sold', 'exportPrice'),
    installedOn: meaning('day of installation', day('installTime')),
    contribution: meaning('accepted but ignored', number({}, 'contribution')),
    ...newPlantFacts,
  },
  allOrNoneOf: ['latitude', 'longitude'],
  response: createdIdText,
  errors: [
    'missingParameter',
    'invalidValue',
    'noPermission',
    'deviceAlreadyBound',
    'collectorUnknown',
    'accountUnknown',
  ],
  example: {
    request: { stationName: 'Meadow Lane 4', capacity: 9.84, sn: exampleCollector.sn },
    data: createdIdText.project({ plantId: examplePlant.id }),
  },
});

export const stationUpdate = defineOperation({
  ...common,
  id: 'stationUpdate',
  summary: 'Changes the details of a plant. What is not sent stays unchanged.',
  request: {
    id: required(plantKey.id),
    name: required(name),
    capacityKwp: required(capacityKwp),
    pricePerKwh: required(pricePerKwh),
    address: required(address),
    currency: meaning(
      'currency of the plant; prices and amounts, also past ones, keep their figures and are not converted',
      currency('money'),
    ),
    ...facts,
    timeZone: meaning(
      'an addition of this service: a new time zone from now on; past days keep the old one, and a new position alone does not change the zone',
      zone,
    ),
  },
  allOrNoneOf: ['latitude', 'longitude'],
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: {
      id: examplePlant.id,
      stationName: 'Meadow Lane 4',
      capacity: 10.25,
      price: 0.079,
      addr: 'Meadow Lane 4, 10115 Berlin',
    },
    data: null,
  },
});

export const addDevice = defineOperation({
  ...common,
  id: 'addDevice',
  summary: 'Binds inverters to a plant.',
  description:
    'All or nothing. An inverter that nobody has added can be bound once a collector in a plant of the same owner has reported it. ' +
    'Devices of other kinds can be bound as well. Binding a collector also binds the devices that report through it and are not in any plant. ' +
    'For other owners, a free device still counts as bound in two cases: for a day after a collector of its last owner has reported it, and as long as the ' +
    'collector that was the first to report it keeps reporting it. A collector that was added for another account also counts as bound, unless its token is sent as well.',
  request: {
    ...plantKey,
    serialNumbers: required(serials('serial numbers of the inverters')),
    collectorTokens: meaning(
      'an addition of this service: tokens of those of the collectors that were added for other accounts',
      distinctList(20, 'collectorToken'),
    ),
    ratedPowerKw: meaning(
      'an addition of this service: rated AC power of each inverter in kW, by which its counters are judged; by default, the plant’s capacity is used',
      number({ min: 0.001, max: 1_000_000 }, 'ratedPower'),
    ),
  },
  needsOneOf: ['id', 'nmiCode'],
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'deviceAlreadyBound'],
  example: { request: { id: examplePlant.id, sn: exampleInverter.sn }, data: null },
});

export const delCollector = defineOperation({
  ...common,
  id: 'delCollector',
  summary:
    'Unbinds collectors from their plants, optionally with the devices that report through them.',
  description: 'All or nothing. Measurements stay with the plant.',
  request: {
    serialNumbers: required(serials('serial numbers of the collectors')),
    withInverters: meaning(
      '1: the devices that report through these collectors are unbound as well; 0, the default: they stay',
      flag('deleteInvert'),
    ),
  },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'collectorUnknown'],
  example: { request: { sn: exampleCollector.sn, deleteInvert: 1 }, data: null },
});

export const unbindDevice = defineOperation({
  ...common,
  id: 'unbindDevice',
  doors: ['signed', 'portal', 'operator'],
  own: true,
  summary: 'Unbinds devices of any kind from their plants.',
  description: 'All or nothing. Measurements stay with the plant.',
  request: { serialNumbers: required(serials('serial numbers of the devices')) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { sn: exampleInverter.sn }, data: null },
});

export const archiveStation = defineOperation({
  ...common,
  id: 'archiveStation',
  doors: ['signed', 'portal', 'operator'],
  own: true,
  summary:
    'Archives a plant: it is no longer visible, its devices are unbound, and its history is kept.',
  request: { id: required(plantKey.id) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: examplePlant.id }, data: null },
});
