import { exampleCollector, examplePlant } from '../examples.ts';
import { an, ownRecord, ownRecords } from '../records/own.ts';
import { defineOperation } from '../operation.ts';
import { meaning, required } from '../parameters.ts';
import { id, integer, textInput } from '../scalars.ts';

const common = {
  family: 'installation',
  permission: 'manage',
  doors: ['operator'],
  own: true,
} as const;
const errors = ['missingParameter', 'invalidValue', 'collectorUnknown'] as const;
const sn = required(meaning('serial number, case-sensitive', textInput(64, 'sn')));

export interface NamedCollector {
  readonly id: string;
  readonly sn: string;
}
const named = { id: an.text('id of the collector'), sn: an.text('serial number') };
const exampleNamed = { id: exampleCollector.id, sn: exampleCollector.sn };

/** A token, in the clear only when it is made. */
export interface NewToken {
  readonly tokenId: string;
  readonly token: string;
}
const newToken = {
  tokenId: an.text('public id of the token: the user name over MQTT'),
  token: an.text('token with which the collector reports'),
};
const exampleTokenId = '1300386381676644900';
const exampleToken = 'k8vQ2nYx7LmR3fBzT5cW1hJdP9sXaE4uG6tZ0rNi';

export const collectorAdd = defineOperation({
  ...common,
  id: 'collector/add',
  write: true,
  summary: 'Adds a collector; its token is shown only once.',
  request: {
    sn,
    plantId: meaning('id of the plant to add it to', id('plantId')),
    owner: meaning(
      'e-mail address of the only account that may bind the collector without its token',
      textInput(254, 'owner'),
    ),
    model: meaning('model of the collector', textInput(100, 'model')),
  },
  atMostOneOf: ['plantId', 'owner'],
  response: ownRecord<NamedCollector & NewToken>('the collector', { ...named, ...newToken }),
  errors: [...errors, 'noPermission', 'accountUnknown'],
  example: {
    request: { sn: exampleCollector.sn, plantId: examplePlant.id },
    data: { ...exampleNamed, tokenId: exampleTokenId, token: exampleToken },
  },
});

export interface CreatedCollector extends NamedCollector, NewToken {
  readonly gateway: string;
}

export const collectorCreate = defineOperation({
  ...common,
  doors: ['portal'],
  permission: 'install',
  id: 'collector/create',
  write: true,
  summary:
    'Creates a collector in a plant, with a serial number of its own; its token is shown only once.',
  description:
    'For the on-site collector, and for programs that report by themselves. Loggers that have a serial number are bound with `addDevice`.',
  request: { plantId: required(meaning('id of the plant', id('plantId'))) },
  response: ownRecord<CreatedCollector>('the collector', {
    ...named,
    ...newToken,
    gateway: an.text('address at which it reports'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id },
    data: {
      id: exampleCollector.id,
      sn: 'SITE-7K2M9QX4WD',
      tokenId: exampleTokenId,
      token: exampleToken,
      gateway: 'https://gateway.example.org',
    },
  },
});

export const collectorRotate = defineOperation({
  ...common,
  id: 'collector/rotate',
  write: true,
  summary: 'Issues a new token for a collector; it is shown only once.',
  request: {
    sn,
    overlapSeconds: meaning(
      'how many seconds old tokens stay valid; 0, the default, ends them at once',
      integer({ min: 0 }, 'overlapSeconds'),
    ),
  },
  response: ownRecord<NewToken>('the new token', newToken),
  errors,
  example: {
    request: { sn: exampleCollector.sn, overlapSeconds: 86_400 },
    data: { tokenId: exampleTokenId, token: exampleToken },
  },
});

export const collectorReplaceToken = defineOperation({
  ...common,
  doors: ['portal'],
  permission: 'install',
  id: 'collector/replaceToken',
  write: true,
  summary:
    'Ends the tokens of a collector of a plant, and issues a new one; it is shown only once.',
  description:
    'For a token that somebody else may have, or that was lost. What the collector measures meanwhile waits on site, and is delivered with the new one.',
  request: { plantId: required(meaning('id of the plant', id('plantId'))), sn },
  response: ownRecord<NewToken>('the new token', newToken),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id, sn: exampleCollector.sn },
    data: { tokenId: exampleTokenId, token: exampleToken },
  },
});

export const collectorRevoke = defineOperation({
  ...common,
  // At the console tokens are only ended: a person who had one could report false measurements in an owner's name.
  doors: ['operator', 'console'],
  id: 'collector/revoke',
  write: true,
  summary: 'Ends all tokens of a collector at once.',
  request: { sn },
  response: ownRecord<{ readonly revoked: number }>('what was ended', {
    revoked: an.number('number of tokens'),
  }),
  errors,
  example: { request: { sn: exampleCollector.sn }, data: { revoked: 1 } },
});

interface CollectorOverview extends NamedCollector {
  readonly model: string | null;
  readonly plantId: string | null;
  readonly lastReportAt: number | null;
  readonly clockOffsetSeconds: number | null;
}
const overview = {
  ...named,
  model: an.text('model'),
  plantId: an.text('id of the collector’s plant'),
  lastReportAt: an.instant('when the collector last reported, to the minute'),
  clockOffsetSeconds: an.number(
    'how many seconds the collector’s clock is ahead of the server’s; negative if it is behind',
  ),
};

export interface ShownCollector extends CollectorOverview {
  readonly tokens: readonly {
    readonly id: string;
    readonly createdAt: number;
    readonly expiresAt: number | null;
  }[];
  readonly devices: readonly string[];
  readonly refusals: readonly {
    readonly sn: string;
    readonly reason: string;
    readonly firstAt: number;
    readonly lastAt: number;
    readonly count: number;
  }[];
}

export const collectorShow = defineOperation({
  ...common,
  id: 'collector/show',
  write: false,
  summary: 'Shows a collector’s last report, its devices and recent refusals.',
  request: { sn },
  response: ownRecord<ShownCollector>('a collector', {
    ...overview,
    tokens: an.objects('the collector’s valid tokens: id, createdAt, expiresAt'),
    devices: an.texts('serial numbers of the devices for which the collector reports'),
    refusals: an.objects('recent refusals: sn, reason, firstAt, lastAt, count'),
  }),
  errors,
  example: {
    request: { sn: exampleCollector.sn },
    data: { ...exampleNamed, plantId: examplePlant.id, tokens: [], devices: [], refusals: [] },
  },
});

export interface ListedCollector extends CollectorOverview {
  readonly name: string | null;
  readonly deviceCount: number;
  readonly createdAt: number;
}

export const collectorsKnown = defineOperation({
  ...common,
  id: 'collector/list',
  write: false,
  summary: 'Lists all collectors, or those of one plant.',
  request: { plantId: meaning('only collectors of this plant', id('plantId')) },
  response: ownRecords<ListedCollector>('a collector', {
    ...overview,
    name: an.text('name'),
    deviceCount: an.number('number of devices for which the collector reports'),
    createdAt: an.instant('when the collector was added'),
  }),
  errors: ['invalidValue'],
  example: {
    request: {},
    data: [
      { ...exampleNamed, plantId: examplePlant.id, deviceCount: 1, createdAt: 1_700_000_000_000 },
    ],
  },
});
