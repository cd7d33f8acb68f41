import { HOUR_MS } from '@helioport/contract/durations';
import { setTimeout } from 'node:timers/promises';
import { eventKindNames, type DestinationShown, type EventKind } from '@helioport/contract';
import { InvalidArgumentError, Option } from 'commander';
import { readNamedText } from '../../../platform/kernel/files/read-file.ts';
import type { CliContext, RegisterCommand } from '../context.ts';
import { CliCommandFault } from '../installation/faults.ts';
import { eventLineOf, listen, type ListenOptions } from './forwarding-listen.ts';
import { stopSignal } from '../installation/stop-signal.ts';
import { duration, either, rows, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

interface AddOptions {
  app: string;
  url: string;
  topic?: string;
  kinds?: EventKind[];
  plants?: string[];
  devices?: string[];
  mqttVersion?: '5' | '3.1.1';
  username?: string;
  askPassword?: boolean;
  ca?: string;
  batches?: boolean;
  gzip?: boolean;
  snapshot?: boolean;
}

const listed = (text: string): string[] => text.split(',').filter((item) => item !== '');

function kindsOf(text: string): EventKind[] {
  const kinds = listed(text);
  if (
    !kinds.every((kind): kind is EventKind => (eventKindNames as readonly string[]).includes(kind))
  )
    throw new InvalidArgumentError(
      `expected some of ${eventKindNames.join(', ')}, separated by commas.`,
    );
  return kinds;
}

/** An instant: ISO 8601 with a zone, or epoch milliseconds. */
function instant(text: string): number {
  const at = /^\d{1,15}$/.test(text)
    ? Number(text)
    : /(Z|[+-]\d\d:\d\d)$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'expected a time such as 2026-11-22T08:00:00Z, or epoch milliseconds.',
    );
  return at;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('expected a port from 0 to 65535.');
  return port;
}

export const registerForwarding: RegisterCommand = (program, context) => {
  const forwarding = program
    .command('forwarding')
    .description('forward events to applications over HTTP, MQTT and RocketMQ');

  forwarding
    .command('add')
    .description(
      'add a destination to an application; the signing secret of an HTTP destination is shown only once',
    )
    .requiredOption('--app <name>', 'name or client_id of the application')
    .requiredOption(
      '--url <address>',
      'https://host/path, mqtts://host:port or rocketmqs://host:port',
    )
    .option(
      '--topic <template>',
      'MQTT: topic with {plantId}, {deviceSn} and {kind}; RocketMQ: topic',
    )
    .option('--kinds <kinds>', 'kinds of events, separated by commas; default: all', kindsOf)
    .option('--plants <ids>', 'only events of these plants, separated by commas', listed)
    .option(
      '--devices <sns>',
      'only events of devices with these serial numbers, separated by commas',
      listed,
    )
    .addOption(new Option('--mqtt-version <version>', 'version of MQTT').choices(['5', '3.1.1']))
    .option('--username <name>', 'MQTT: user; RocketMQ: access key')
    .option('--ask-password', 'read the password or secret key from the terminal or standard input')
    .option('--ca <file>', 'certificate authorities (PEM) to trust instead of the public ones')
    .option('--batches', 'HTTP: several events in one request')
    .option('--gzip', 'HTTP: compress bodies')
    .option('--snapshot', 'begin with plants, devices and newest values')
    .action((options: AddOptions) => add(context, options));

  forwarding
    .command('list')
    .description('list destinations and how far each one is')
    .option('--app <name>', 'name or client_id of an application; default: all')
    .action(async ({ app }: { app?: string }) => {
      const shown = await (await context.operator()).call('forwarding/list', { application: app });
      context.print(shown, () =>
        tableText(
          [
            'id',
            'application',
            'address',
            'state',
            'delivered',
            'behind s',
            'waiting',
            'given up',
            'last failure',
          ],
          shown.map((d) => [
            d.id,
            d.application,
            d.url,
            d.state,
            d.delivered,
            Math.round(d.behindSeconds),
            d.waitingDevices,
            d.deadLetters,
            d.failure,
          ]),
        ),
      );
    });

  const one = (
    verb: string,
    description: string,
    run: (id: string, options: any) => Promise<void>,
  ) =>
    forwarding
      .command(verb)
      .description(description)
      .argument('[id]', 'id of the destination')
      .option('--id <id>', 'same as the argument')
      .action((argument: string | undefined, options: { id?: string }) =>
        run(either(argument, options.id, 'the id of a destination'), options),
      );

  one('show', 'show a destination, how far it is and what failed last', async (id) => {
    const shown = await (await context.operator()).call('forwarding/show', { id });
    context.print(shown, () => tableText(['', ''], rowsOf(shown)));
  });

  one('test', 'send a made-up event to a destination', async (id) => {
    const result = await (await context.operator()).call('forwarding/test', { id });
    if (!result.delivered) context.fail();
    context.print(
      result,
      result.delivered
        ? `delivered in ${result.tookMs} ms`
        : [`not delivered: ${result.reason}`, result.excerpt ?? ''].join('\n').trimEnd(),
    );
  });

  for (const [verb, description] of [
    ['pause', 'pause a destination; its events wait as long as the log is kept'],
    ['resume', 'let a paused or disabled destination go on where it was'],
  ] as const)
    one(verb, description, async (id) => {
      const { state } = await (await context.operator()).call(`forwarding/${verb}`, { id });
      context.print({ id, state }, `${id} is ${state}`);
    });

  one('remove', 'remove a destination', async (id) => {
    await (await context.operator()).call('forwarding/remove', { id });
    context.print({ id, removed: true }, `${id} is removed`);
  });

  one(
    'rotate',
    'replace the secret of a destination',
    async (id, options: { overlap: number; username?: string; askPassword?: boolean }) => {
      const password = options.askPassword ? await context.readPassword() : undefined;
      const overlapHours = Math.ceil(options.overlap / HOUR_MS);
      const made = await (
        await context.operator()
      ).call('forwarding/rotate', { id, overlapHours, username: options.username, password });
      context.print(made, () =>
        made.secret === null
          ? `${id} has the new password`
          : tableText(
              ['secret', 'former one ends'],
              [[made.secret, localTimeText(made.formerEndsAt)]],
            ),
      );
    },
  )
    .option(
      '--overlap <time>',
      'HTTP: how long requests are signed with the former secret too, such as 12h',
      duration,
      24 * HOUR_MS,
    )
    .option('--username <name>', 'MQTT and RocketMQ: new user')
    .option(
      '--ask-password',
      'MQTT and RocketMQ: read the new password from the terminal or standard input',
    );

  one(
    'replay',
    'send events once more, beside those that happen now',
    async (
      id,
      {
        event,
        from,
        until,
        device,
        deadLetters,
      }: { event?: string; from?: number; until?: number; device?: string; deadLetters?: boolean },
    ) => {
      const wanted = {
        id,
        eventId: event,
        from,
        until,
        deviceSn: device,
        deadLetters: deadLetters ? 1 : undefined,
      };
      const { replays } = await (await context.operator()).call('forwarding/replay', wanted);
      context.print(
        { id, replays },
        replays === 0 ? 'nothing to send' : 'the events are being sent again',
      );
    },
  )
    .option('--event <id>', 'one event')
    .option('--from <time>', 'events recorded from this time on', instant)
    .option('--until <time>', 'events recorded before this time', instant)
    .option('--device <sn>', 'only events of this device')
    .option('--dead-letters', 'the events that were given up');

  one(
    'snapshot',
    'send plants, devices and newest values as they are; the stream waits for it',
    async (id) => {
      const begun = await (await context.operator()).call('forwarding/snapshot', { id });
      context.print(begun, `snapshot ${begun.number} is being sent`);
    },
  );

  one(
    'dead-letters',
    'list events that were given up, newest first',
    async (id, { limit }: { limit: number }) => {
      const letters = await (
        await context.operator()
      ).call('forwarding/deadLetters', { id, limit });
      context.print(letters, () =>
        tableText(
          ['event', 'kind', 'device', 'number', 'given up', 'reason'],
          letters.map((l) => [l.eventId, l.kind, l.sn, l.sequence, localTimeText(l.at), l.reason]),
        ),
      );
    },
  ).option('--limit <rows>', 'maximum number of rows', rows, 100);

  one(
    'tail',
    'show what a destination is sent, as it happens; ends with Ctrl-C',
    (id, options: { for?: number }) => tail(context, id, options.for),
  ).option('--for <time>', 'end after this time, such as 30s', duration);

  forwarding
    .command('listen')
    .description(
      'receive events over HTTP on this machine; reads the signing secret from the terminal or standard input',
    )
    .option('--port <number>', 'port on 127.0.0.1; 0 = any that is free', portOf, 9000)
    .option('--for <time>', 'end after this time, such as 30s', duration)
    .action((options: ListenOptions) => listen(context, options));

  one('gaps', 'say what a destination has not acknowledged', async (id) => {
    const report = await (await context.operator()).call('forwarding/gaps', { id });
    context.print(report, () =>
      [
        `behind by ${Math.round(report.behindSeconds)} s, ${report.deadLetters} events given up`,
        `devices that wait:\n${tableText(
          ['device', 'attempts', 'next attempt', 'reason'],
          report.waiting.map((w) => [w.sn, w.attempts, localTimeText(w.nextAttemptAt), w.reason]),
        )}`,
        `deleted before they were delivered:\n${tableText(
          ['entries of the log', 'noticed'],
          report.lost.map((l) => [l.entries, localTimeText(l.at)]),
        )}`,
      ].join('\n\n'),
    );
  });
};

async function add(context: CliContext, options: AddOptions): Promise<void> {
  const {
    app,
    url,
    topic,
    kinds,
    plants,
    devices,
    mqttVersion,
    username,
    askPassword,
    ca,
    batches,
    gzip,
    snapshot,
  } = options;
  const made = await (
    await context.operator()
  ).call('forwarding/add', {
    application: app,
    url,
    topic,
    kinds,
    plantIds: plants,
    deviceSns: devices,
    protocolVersion: mqttVersion,
    username,
    password: askPassword ? await context.readPassword() : undefined,
    caCertificates: ca === undefined ? undefined : readText(context.path(ca)),
    batches: batches ? 1 : undefined,
    gzip: gzip ? 1 : undefined,
    snapshot: snapshot ? 1 : undefined,
  });
  context.print(made, () => tableText(['id', 'secret'], [[made.id, made.secret]]));
}

const LOOK_MS = 1_000;

/** Prints events, one a line, until it is interrupted or its time is over. */
async function tail(context: CliContext, id: string, forMs = Infinity): Promise<void> {
  const door = await context.operator();
  const endsAt = performance.now() + forMs;
  const stop = new AbortController();
  if (forMs === Infinity) void stopSignal().then(() => stop.abort());
  let { cursor } = await door.call('forwarding/tail', { id });
  if (!context.json) context.note('waiting for events');
  for (;;) {
    const { cursor: next, events } = await door.call('forwarding/tail', { id, after: cursor });
    for (const event of events) context.print(event, () => eventLineOf(event));
    if (next !== cursor) {
      cursor = next;
      continue;
    }
    const left = endsAt - performance.now();
    if (left <= 0 || stop.signal.aborted) return;
    await setTimeout(Math.min(LOOK_MS, left), undefined, { signal: stop.signal }).catch(() => {});
  }
}

function readText(file: string): string {
  try {
    return readNamedText(file);
  } catch (error) {
    throw new CliCommandFault(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function rowsOf(shown: DestinationShown): (readonly [string, string | number | boolean | null])[] {
  const times = new Set(['createdAt', 'deliveredAt', 'failedAt', 'failingSince', 'nextAttemptAt']);
  return Object.entries(shown).map(([name, value]: [string, unknown]) => {
    if (times.has(name)) return [name, localTimeText(value as number | null)];
    return [
      name,
      Array.isArray(value) ? value.join(' ') : (value as string | number | boolean | null),
    ];
  });
}
