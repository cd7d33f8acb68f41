import { eventKindNames, exampleEvent, type EventKind, type ForwardedEvent } from '../../events.ts';
import { EXAMPLE_DESTINATION_ID } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import {
  choice,
  exactText,
  flag,
  id,
  integer,
  listInput,
  textInput,
  wordsInput,
} from '../../scalars.ts';

const common = {
  family: 'forwarding',
  permission: 'read',
  doors: ['client', 'operator'],
  own: true,
} as const;
/** What the application's developer may do at the portal, too. What sends events elsewhere needs the application's own credentials: a session that was stolen does not suffice. */
const watched = { ...common, doors: ['client', 'portal', 'operator'] } as const;
const errors = ['missingParameter', 'invalidValue', 'noPermission'] as const;

const protocolVersions = ['5', '3.1.1'] as const;
const transports = ['http', 'mqtt', 'rocketmq'] as const;

/** A destination with how far it is. */
export interface DestinationShown {
  readonly id: string;
  readonly application: string;
  readonly url: string;
  readonly transport: (typeof transports)[number];
  readonly kinds: readonly EventKind[];
  readonly plantIds: readonly string[] | null;
  readonly deviceSns: readonly string[] | null;
  readonly topic: string | null;
  readonly protocolVersion: string | null;
  readonly batches: boolean;
  readonly gzip: boolean;
  readonly ownCertificates: boolean;
  readonly state: 'active' | 'paused' | 'disabled';
  readonly reason: string | null;
  readonly createdAt: number;
  readonly delivered: number;
  readonly failures: number;
  readonly deliveredAt: number | null;
  readonly failedAt: number | null;
  readonly failure: string | null;
  readonly excerpt: string | null;
  readonly failingSince: number | null;
  readonly nextAttemptAt: number | null;
  readonly behindSeconds: number;
  readonly waitingDevices: number;
  readonly oldestWaitingAt: number | null;
  readonly deadLetters: number;
  readonly snapshot: 'sending' | 'repeating' | 'done' | 'failed' | null;
}

/** An event that was given up. */
export interface DeadLetterShown {
  readonly eventId: string;
  readonly kind: EventKind;
  readonly sn: string | null;
  readonly sequence: number;
  readonly reason: string;
  readonly excerpt: string | null;
  readonly at: number;
}

/** What a destination has not acknowledged. */
export interface GapReport {
  readonly behindSeconds: number;
  /** Devices whose events wait because one could not be delivered. */
  readonly waiting: readonly {
    readonly sn: string | null;
    readonly attempts: number;
    readonly nextAttemptAt: number;
    readonly reason: string;
    readonly excerpt: string | null;
  }[];
  readonly deadLetters: number;
  /** Stretches of the log that were deleted before they could be delivered. */
  readonly lost: readonly { readonly entries: number; readonly at: number }[];
}

/** What a destination is sent. */
export interface Tail {
  /** Where to go on. */
  readonly cursor: string;
  readonly events: readonly ForwardedEvent[];
}

/** The outcome of a test. */
export interface TestResult {
  readonly delivered: boolean;
  readonly reason: string | null;
  readonly excerpt: string | null;
  readonly tookMs: number;
}

const destinationFields = {
  id: an.text('id of the destination'),
  application: an.text('name of the application'),
  url: an.text('address'),
  transport: an.text(transports.join(', ')),
  kinds: an.texts('kinds of events that it takes'),
  plantIds: an.texts('the plants that it is limited to'),
  deviceSns: an.texts('serial numbers of the devices that it is limited to'),
  topic: an.text('MQTT: template of the topic; RocketMQ: the topic'),
  protocolVersion: an.text('MQTT: 5 or 3.1.1'),
  batches: an.flag('HTTP: whether a request may carry several events'),
  gzip: an.flag('HTTP: whether bodies are compressed'),
  ownCertificates: an.flag('whether it has certificate authorities of its own'),
  state: an.text('active, paused or disabled'),
  reason: an.text('why it was disabled'),
  createdAt: an.instant('when it was added'),
  delivered: an.number('events delivered so far'),
  failures: an.number('attempts that failed so far'),
  deliveredAt: an.instant('when an event was last delivered'),
  failedAt: an.instant('when an attempt last failed'),
  failure: an.text('why'),
  excerpt: an.text('what the peer answered then, at most its first 1,024 characters'),
  failingSince: an.instant('since when every attempt has failed'),
  nextAttemptAt: an.instant('when it is tried next, if it is not tried before'),
  behindSeconds: {
    type: 'number',
    description: 'age of the oldest event that was not dealt with yet',
    'x-unit': 's',
  },
  waitingDevices: an.number('devices whose events wait because one could not be delivered'),
  oldestWaitingAt: an.instant('when the oldest of these events was recorded'),
  deadLetters: an.number('events that were given up'),
  snapshot: an.text(
    'how far its last snapshot is: sending, repeating (what was refused), done or failed',
  ),
} as const;

const exampleId = EXAMPLE_DESTINATION_ID;
const exampleShown = {
  id: exampleId,
  application: 'Yield Watch',
  url: 'https://yield.example/events',
  transport: 'http',
  kinds: ['telemetry.sample', 'alarm.raised'],
  batches: false,
  gzip: false,
  ownCertificates: false,
  state: 'active',
  createdAt: 1_793_963_100_000,
  delivered: 5512,
  failures: 0,
  deliveredAt: 1_793_963_400_000,
  behindSeconds: 0,
  waitingDevices: 0,
  deadLetters: 0,
} as const;

const application = meaning(
  'name or client_id; an application has its own and names none',
  textInput(100, 'application'),
);
const destination = required(meaning('id of the destination', id('id')));

export const forwardingAdd = defineOperation({
  ...common,
  id: 'forwarding/add',
  write: true,
  summary:
    'Adds a destination: events of the plants that owners have given the application access to are sent there from now on.',
  description:
    'The answer has the signing secret of an HTTP destination; it is not shown again. A host must be on the public internet unless the operator allows others. ' +
    'Plants and devices that the application may not see are accepted, and nothing of them is sent.',
  request: {
    application,
    url: required(
      meaning(
        'https://host/path, mqtts://host:port or rocketmqs://host:port; without TLS only where the operator allows it',
        exactText(2000, 'url'),
      ),
    ),
    kinds: meaning('kinds of events; all by default', wordsInput(eventKindNames, 'kinds')),
    plantIds: meaning('only events of these plants', listInput(1_000, 'plantIds')),
    deviceSns: meaning(
      'only events of the devices with these serial numbers',
      listInput(1_000, 'deviceSns'),
    ),
    topic: meaning(
      'MQTT: a template with {plantId}, {deviceSn} and {kind}; RocketMQ: the topic',
      exactText(500, 'topic'),
    ),
    protocolVersion: meaning('MQTT: 5 by default', choice(protocolVersions, 'protocolVersion')),
    username: meaning('MQTT and RocketMQ: user name or access key', exactText(256, 'username')),
    password: meaning('MQTT and RocketMQ: password or secret key', exactText(256, 'password')),
    caCertificates: meaning(
      'PEM of the certificate authorities to trust instead of the public ones',
      exactText(65_536, 'caCertificates'),
    ),
    batches: meaning('HTTP, 1: a request may carry several events', flag('batches')),
    gzip: meaning('HTTP, 1: bodies are compressed', flag('gzip')),
    snapshot: meaning(
      '1: begins with a snapshot, as forwarding/snapshot sends one',
      flag('snapshot'),
    ),
  },
  response: ownRecord<{ readonly id: string; readonly secret: string | null }>('the destination', {
    id: an.text('id of the destination'),
    secret: an.text('HTTP: signing secret of Standard Webhooks'),
  }),
  errors,
  example: {
    request: { url: 'https://yield.example/events', kinds: 'telemetry.sample,alarm.raised' },
    data: { id: exampleId, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
});

export const forwardingList = defineOperation({
  ...watched,
  id: 'forwarding/list',
  write: false,
  summary: 'Lists destinations and how far each one is.',
  request: { application },
  response: ownRecords<DestinationShown>('a destination', destinationFields),
  errors: ['invalidValue'],
  example: { request: {}, data: [exampleShown] },
});

export const forwardingShow = defineOperation({
  ...watched,
  id: 'forwarding/show',
  write: false,
  summary: 'Shows a destination and how far it is.',
  request: { id: destination },
  response: ownRecord<DestinationShown>('a destination', destinationFields),
  errors,
  example: { request: { id: exampleId }, data: exampleShown },
});

export const forwardingTest = defineOperation({
  ...watched,
  id: 'forwarding/test',
  write: false,
  summary: 'Sends a made-up event of the kind `test` to a destination and waits for the outcome.',
  description:
    'The event has no plant and no device. It is sent whatever the state of the destination, and is not counted.',
  request: { id: destination },
  response: ownRecord<TestResult>('the outcome', {
    delivered: an.flag('whether the peer has taken it'),
    reason: an.text('why not'),
    excerpt: an.text('what the peer answered'),
    tookMs: { type: 'number', description: 'how long it took', 'x-unit': 'ms' },
  }),
  errors,
  example: { request: { id: exampleId }, data: { delivered: true, tookMs: 42 } },
});

const state = {
  id: an.text('id of the destination'),
  state: an.text('active, paused or disabled'),
} as const;

const switched = <const Id extends string>(
  operationId: Id,
  summary: string,
  shown: 'active' | 'paused',
) =>
  defineOperation({
    ...watched,
    id: operationId,
    write: true,
    summary,
    request: { id: destination },
    response: ownRecord<Pick<DestinationShown, 'id' | 'state'>>('the destination', state),
    errors,
    example: { request: { id: exampleId }, data: { id: exampleId, state: shown } },
  });

export const forwardingPause = switched(
  'forwarding/pause',
  'Pauses a destination; what happens until it is resumed waits for it, as long as the log is kept.',
  'paused',
);
export const forwardingResume = switched(
  'forwarding/resume',
  'Lets a paused or disabled destination go on where it was, and tries it at once.',
  'active',
);

export const forwardingRemove = defineOperation({
  ...common,
  id: 'forwarding/remove',
  write: true,
  summary: 'Removes a destination.',
  request: { id: destination },
  response: ownRecord<Pick<DestinationShown, 'id'>>('the destination', { id: state.id }),
  errors,
  example: { request: { id: exampleId }, data: { id: exampleId } },
});

export const forwardingRotate = defineOperation({
  ...common,
  id: 'forwarding/rotate',
  write: true,
  summary:
    'Replaces the secret of a destination: HTTP gets a new one, MQTT and RocketMQ take the user and the password that are sent.',
  description: 'Requests over HTTP are signed with both secrets until the former one ends.',
  request: {
    id: destination,
    overlapHours: meaning(
      'how long HTTP requests are signed with the former secret too; 24 by default',
      integer({ min: 0, max: 720 }, 'overlapHours'),
    ),
    username: meaning('MQTT and RocketMQ', exactText(256, 'username')),
    password: meaning('MQTT and RocketMQ', exactText(256, 'password')),
  },
  response: ownRecord<{
    readonly id: string;
    readonly secret: string | null;
    readonly formerEndsAt: number | null;
  }>('the destination', {
    id: state.id,
    secret: an.text('HTTP: the new signing secret'),
    formerEndsAt: an.instant('HTTP: when the former secret ends'),
  }),
  errors,
  example: {
    request: { id: exampleId },
    data: {
      id: exampleId,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDa4AaLFTXGlc=',
      formerEndsAt: 1_794_049_500_000,
    },
  },
});

export const forwardingReplay = defineOperation({
  ...watched,
  id: 'forwarding/replay',
  write: true,
  summary:
    'Sends events once more, beside those that happen now: one by its id, those of a time, those of a device, or all that were given up.',
  description: 'They keep their ids. What the application may not see any more is not sent.',
  request: {
    id: destination,
    eventId: meaning('id of one event', exactText(60, 'eventId')),
    from: meaning(
      'events recorded from this time on, in epoch milliseconds',
      integer({ min: 0 }, 'from'),
    ),
    until: meaning(
      'events recorded before this time, in epoch milliseconds; now by default',
      integer({ min: 0 }, 'until'),
    ),
    deviceSn: meaning(
      'only events of the device with this serial number',
      textInput(64, 'deviceSn'),
    ),
    deadLetters: meaning('1: the events that were given up', flag('deadLetters')),
  },
  needsOneOf: ['eventId', 'from', 'deviceSn', 'deadLetters'],
  atMostOneOf: ['eventId', 'deadLetters'],
  response: ownRecord<{ readonly replays: number }>('the result', {
    replays: an.number('stretches of the log that are sent again; 0 if there is nothing to send'),
  }),
  errors: [...errors, 'tooManyRequests'],
  example: { request: { id: exampleId, from: 1_793_963_100_000 }, data: { replays: 1 } },
});

export const forwardingSnapshot = defineOperation({
  ...watched,
  id: 'forwarding/snapshot',
  write: true,
  summary:
    'Sends a snapshot of the present: plants, devices and their newest values. The stream waits for it and then goes on where it was.',
  description:
    'Its events are of the kinds `snapshot.plant`, `snapshot.device` and, at the end, `snapshot.complete`. The destination must take the first two, or one of them. ' +
    'What it does not take otherwise (plants, devices) is not in its snapshot. Only one can be under way.',
  request: { id: destination },
  response: ownRecord<{ readonly id: string; readonly number: number }>('the snapshot', {
    id: state.id,
    number: an.number('number of the snapshot: `sequence` of its events'),
  }),
  errors: [...errors, 'tooManyRequests'],
  example: { request: { id: exampleId }, data: { id: exampleId, number: 3 } },
});

export const forwardingDeadLetters = defineOperation({
  ...watched,
  id: 'forwarding/deadLetters',
  write: false,
  summary: 'Lists events that were given up, newest first.',
  request: {
    id: destination,
    limit: meaning('at most this many; 100 by default', integer({ min: 1, max: 1_000 }, 'limit')),
  },
  response: ownRecords<DeadLetterShown>('an event', {
    eventId: an.text('id of the event'),
    kind: an.text('kind of the event'),
    sn: an.text('serial number of the device'),
    sequence: an.number('sequence number'),
    reason: an.text('why the last attempt failed'),
    excerpt: an.text('what the peer answered'),
    at: an.instant('when it was given up'),
  }),
  errors,
  example: { request: { id: exampleId }, data: [] },
});

export const forwardingTail = defineOperation({
  ...watched,
  id: 'forwarding/tail',
  write: false,
  summary: 'Shows what a destination is sent, without disturbing it.',
  description:
    'Without a cursor, the answer has no events, but the cursor of now; with the cursor of an answer, what came after it. Ask about once a second. An event is shown as ' +
    'soon as it was recorded, whether it has arrived or not.',
  request: {
    id: destination,
    after: meaning('the cursor of an earlier answer', exactText(40, 'after')),
  },
  response: ownRecord<Tail>('the events', {
    cursor: an.text('where to go on'),
    events: an.objects('events in the form in which they are sent'),
  }),
  errors,
  example: {
    request: { id: exampleId, after: '0-5511' },
    data: { cursor: '0-5512', events: [exampleEvent('alarm.raised')] },
  },
});

export const forwardingGaps = defineOperation({
  ...watched,
  id: 'forwarding/gaps',
  write: false,
  summary: 'Says what a destination has not acknowledged.',
  request: { id: destination },
  response: ownRecord<GapReport>('the report', {
    behindSeconds: destinationFields.behindSeconds,
    waiting: an.objects(
      'devices whose events wait, at most 1,000: sn, attempts, nextAttemptAt, reason, excerpt',
    ),
    deadLetters: destinationFields.deadLetters,
    lost: an.objects(
      'stretches of the log that were deleted before they could be delivered: entries, at',
    ),
  }),
  errors,
  example: {
    request: { id: exampleId },
    data: { behindSeconds: 0, waiting: [], deadLetters: 0, lost: [] },
  },
});
