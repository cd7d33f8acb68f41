import { examplePlant } from '../examples.ts';
import { an, ownRecords } from '../records/own.ts';
import { createdId, nothing } from '../compat/field-kinds/containers.ts';
import { defineOperation } from '../operation.ts';
import { meaning, required } from '../parameters.ts';
import {
  code,
  currency,
  flag,
  id,
  instant,
  integer,
  number,
  textInput,
  timeZone,
} from '../scalars.ts';

const common = {
  family: 'installation',
  permission: 'manage',
  doors: ['operator'],
  own: true,
} as const;
const errors = ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'] as const;

const plantId = required(meaning('id of the plant', id('plantId')));
const name = meaning('name of the plant', textInput(100, 'name'));
const capacityKwp = meaning(
  'rated power of the modules in kWp',
  number({ min: 0, max: 10_000_000 }, 'capacityKwp'),
);
const facts = {
  currency: meaning('currency of the plant’s income', currency('currency')),
  pricePerKwh: meaning(
    'income per kWh produced',
    number({ min: 0, max: 1_000_000 }, 'pricePerKwh'),
  ),
  address: meaning('address of the plant', textInput(300, 'address')),
  latitude: meaning('latitude, + north', number({ min: -90, max: 90 }, 'latitude')),
  longitude: meaning('longitude, + east', number({ min: -180, max: 180 }, 'longitude')),
  tiltDegrees: meaning(
    'tilt of the modules in degrees',
    number({ min: 0, max: 90 }, 'tiltDegrees'),
  ),
  azimuthDegrees: meaning(
    'direction of the modules in degrees',
    number({ min: -360, max: 360 }, 'azimuthDegrees'),
  ),
  type: meaning(
    'kind of plant: 0 grid, 1 storage, 2 AC-coupled, 3 EPM, 4 built-in meter, 5 external meter, 6 to 11 parallel and off-grid systems',
    integer({ min: 0, max: 11 }, 'type'),
  ),
  nmiCode: meaning('meter id of an Australian plant', code(20, 'nmiCode')),
};
const installer = meaning(
  'e-mail address of the installer, who also gets a share with control',
  textInput(254, 'installer'),
);

export const plantAdd = defineOperation({
  ...common,
  id: 'plant/add',
  write: true,
  summary: 'Adds a plant to a user.',
  request: {
    owner: required(meaning('e-mail address of the owner', textInput(254, 'owner'))),
    name: required(name),
    capacityKwp: required(capacityKwp),
    timeZone: meaning(
      'time zone of the plant; by default, the zone at its position, else the owner’s',
      timeZone('timeZone'),
    ),
    ...facts,
    installer,
  },
  allOrNoneOf: ['latitude', 'longitude'],
  response: createdId,
  errors,
  example: {
    request: { owner: 'ada@example.org', name: 'Meadow Lane 4', capacityKwp: 9.84 },
    data: createdId.project({ plantId: examplePlant.id }),
  },
});

export const plantEdit = defineOperation({
  ...common,
  doors: ['portal', 'operator'],
  permission: 'install',
  id: 'plant/edit',
  write: true,
  summary:
    'Changes details of a plant, such as its name. Details that are not sent stay unchanged.',
  description:
    'Somebody with the share `install` may correct the capacity, the tilt and the azimuth; everything else is the owner’s.',
  request: {
    plantId,
    name,
    capacityKwp,
    timeZone: meaning(
      'new time zone from now on; past days keep the old one',
      timeZone('timeZone'),
    ),
    ...facts,
    currency: meaning(
      'currency of the plant’s income; prices and amounts, also past ones, keep their figures and are not converted',
      currency('currency'),
    ),
    withoutPlace: meaning(
      '1: the plant has no position any more; its time zone stays',
      flag('withoutPlace'),
    ),
    readingRetention: meaning(
      'after how many days its readings are deleted, from `32d` on; `off`: as in the whole installation, and never later than there',
      textInput(20, 'readingRetention'),
    ),
    readingThinning: meaning(
      'after how many days its readings are thinned, and to one in how many minutes, such as `90d:15m`; `off`: as in the whole installation, and never later or less than there',
      textInput(20, 'readingThinning'),
    ),
    unchangedSince: meaning(
      '`updateDate` of the plant as it was read: if it has been changed since, nothing is changed',
      instant('unchangedSince'),
    ),
  },
  allOrNoneOf: ['latitude', 'longitude'],
  atMostOneOf: ['latitude', 'withoutPlace'],
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'changedMeanwhile'],
  example: { request: { plantId: examplePlant.id, name: 'Meadow Lane 6' }, data: null },
});

export const plantTransfer = defineOperation({
  ...common,
  id: 'plant/transfer',
  write: true,
  summary: 'Transfers a plant, with its devices and history, to another owner; its shares end.',
  request: {
    plantId,
    owner: required(meaning('e-mail address of the new owner', textInput(254, 'owner'))),
  },
  response: nothing,
  errors,
  example: { request: { plantId: examplePlant.id, owner: 'grace@example.org' }, data: null },
});

export interface ListedPlant {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly capacityKwp: number;
  readonly timeZone: string;
  readonly createdAt: number;
  readonly archivedAt: number | null;
  readonly shares: readonly { readonly email: string; readonly level: string }[];
}

export const plantList = defineOperation({
  ...common,
  id: 'plant/list',
  write: false,
  summary: 'Lists all plants, or those of one owner, including archived ones.',
  request: { owner: meaning('e-mail address of the owner', textInput(254, 'owner')) },
  response: ownRecords<ListedPlant>('a plant', {
    id: an.text('id of the plant'),
    name: an.text('name'),
    owner: an.text('e-mail address of the owner'),
    capacityKwp: an.number('rated power of the modules'),
    timeZone: an.text('time zone'),
    createdAt: an.instant('when the plant was added'),
    archivedAt: an.instant('when the plant was archived'),
    shares: an.objects('who else may see the plant: email and level'),
  }),
  errors: ['invalidValue', 'accountUnknown'],
  example: {
    request: {},
    data: [
      {
        id: examplePlant.id,
        name: 'Meadow Lane 4',
        owner: 'ada@example.org',
        capacityKwp: 9.84,
        timeZone: 'Europe/Berlin',
        createdAt: 1_700_000_000_000,
        shares: [],
      },
    ],
  },
});
