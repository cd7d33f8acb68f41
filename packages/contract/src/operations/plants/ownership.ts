import { EXAMPLE_INVITATION_ID, examplePage, examplePlant } from '../../examples.ts';
import { page } from '../../compat/field-kinds/containers.ts';
import { an, ownRecord } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { paging } from '../../requests.ts';
import { choice, id, number, textInput } from '../../scalars.ts';
import { shareLevels } from '../accounts/shares.ts';

const common = { family: 'plants', permission: 'manage', doors: ['portal'], own: true } as const;
const errors = ['missingParameter', 'invalidValue', 'noPermission'] as const;

const plantId = required(meaning('id of the plant', id('plantId')));

export const plantOffer = defineOperation({
  ...common,
  id: 'plant/offer',
  write: true,
  summary: 'Offers a plant to another user, such as the buyer of the house.',
  description:
    'On acceptance, that user owns the plant with its devices and history, and all shares end; its installer, if it has one, stays. With `keep`, the offering owner may see, control or install it afterwards, to service it, unless the new owner accepts without that. Until then, nothing changes. It replaces an earlier offer.',
  request: {
    plantId,
    email: required(meaning('e-mail address of the new owner', textInput(254, 'email'))),
    keep: meaning(
      'what the offering owner may do afterwards: read, control or install; nothing by default',
      choice(shareLevels, 'keep'),
    ),
  },
  response: ownRecord<{ readonly invitationId: string }>('the offer', {
    invitationId: an.text('id of the invitation'),
  }),
  errors,
  example: {
    request: { plantId: examplePlant.id, email: 'grace@example.org' },
    data: { invitationId: EXAMPLE_INVITATION_ID },
  },
});

export const plantRestore = defineOperation({
  ...common,
  id: 'plant/restore',
  write: true,
  summary:
    'Brings an archived plant back, with its history, its shares, and the devices that it had, except those that have been elsewhere since.',
  request: { plantId },
  response: ownRecord<{ readonly bound: number; readonly elsewhere: number }>(
    'what became of its devices',
    {
      bound: an.number('number of devices that are in the plant again'),
      elsewhere: an.number(
        'number of devices that have been in another plant since, or are somebody else’s now',
      ),
    },
  ),
  errors,
  example: { request: { plantId: examplePlant.id }, data: { bound: 3, elsewhere: 0 } },
});

/** A plant that is archived. */
export interface ArchivedPlant {
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
  readonly capacityKwp: number;
  readonly archivedAt: number;
  /** How many devices it had until then. */
  readonly devices: number;
}

const archived = ownRecord<ArchivedPlant>('an archived plant', {
  id: an.text('id of the plant'),
  name: an.text('name'),
  address: an.text('address'),
  capacityKwp: an.number('rated power of the modules'),
  archivedAt: an.instant('when it was archived'),
  devices: an.number('how many devices it had until then'),
});
const archivedPage = page({
  schema: archived.schema,
  project: archived.project,
  text: (one: ArchivedPlant) => JSON.stringify(archived.project(one)),
});

export const plantArchived = defineOperation({
  ...common,
  id: 'plant/archived',
  write: false,
  summary: 'Lists the caller’s archived plants, those archived last first.',
  request: { pageNo: paging.pageNo, pageSize: paging.pageSize },
  response: archivedPage,
  errors: ['invalidValue'],
  example: {
    request: {},
    data: archivedPage.project(
      examplePage<ArchivedPlant>({
        id: examplePlant.id,
        name: examplePlant.name,
        address: null,
        capacityKwp: examplePlant.capacityKwp,
        archivedAt: 1_790_000_000_000,
        devices: 3,
      }),
    ),
  },
});

export const plantZone = defineOperation({
  ...common,
  permission: 'read',
  id: 'plant/zone',
  write: false,
  summary: 'Returns the time zone and the currency at a position.',
  request: {
    latitude: required(meaning('latitude, + north', number({ min: -90, max: 90 }, 'latitude'))),
    longitude: required(meaning('longitude, + east', number({ min: -180, max: 180 }, 'longitude'))),
  },
  response: ownRecord<{
    readonly timeZone: string | undefined;
    readonly currency: string | undefined;
  }>('the zone', {
    timeZone: an.text('time zone; unknown at sea'),
    currency: an.text('currency that is paid with in that zone; unknown at sea'),
  }),
  errors: ['missingParameter', 'invalidValue'],
  example: {
    request: { latitude: 52.53, longitude: 13.38 },
    data: { timeZone: 'Europe/Berlin', currency: 'EUR' },
  },
});
