import { existsSync } from 'node:fs';
import { layers, WINGS } from '../../lint/layers.ts';

const ROOT = new URL('../../', import.meta.url);
const SERVER = 'packages/server/src';

/** What each package is for. */
const packages: Readonly<Record<string, string>> = {
  contract: 'every operation, record, quantity and error, declared once; pure data and types',
  reference: 'the reference pages: HTML, style sheets and script',
  sdk: 'the signer, the typed client, and what explains a refused signature',
  collector: 'the library for collectors: a durable backlog, delivery, commands; HTTP and MQTT',
  simulator: 'simulated plants that report and obey through the collector library',
  portal:
    'the app for browsers: i18n, wire, session, parts, screens, app; no screen imports another',
};

/** What each wing of the server is for. */
const wings: Readonly<Record<keyof typeof WINGS, string>> = {
  interfaces: 'the ways in: what people and programs can do, and the doors they come by',
  'data-rights': 'what an account may take along, and what becomes of it when it is closed',
  outbound: 'what has to reach somebody: alarms, notifications, events to applications',
  control: 'commands to devices, and strategies that applications dispatch',
  measurements: 'readings, and everything that is calculated from them',
  fleet: 'plants, their devices and the collectors that report for them',
  identity: 'who somebody is, and what an application was allowed',
  platform: 'what every other wing stands on; knows nothing of solar plants',
};

/** What each room of the server is for. */
const rooms: Readonly<Record<string, string>> = {
  kernel: 'clock, ids, secrets, failures, logger, networks',
  config: 'settings, master key, data folder',
  storage: 'both engines, migrations, tables, transactions, prepared statements, wake-ups',
  calendar: 'time zones, local days and changes of clocks',
  egress: 'which hosts may be reached from here',
  events:
    'the event log, in the order in which events became visible, who could want them, and its readers',
  work: 'scheduled work (jobs): lanes by kind, leases, runs',
  mail: 'e-mails: letters, the outbox, delivery over SMTP',
  accounts:
    'accounts, key pairs, sessions, passwords, audit trail, idempotency of writes (once.ts)',
  oauth: 'applications, grants, codes and tokens',
  plants: 'plants, bindings, shares, companies, tariffs; what a caller may see (access.ts)',
  devices: 'devices, their states, their placement in plants, the profiles of their models',
  collectors: 'who may report, what a report may contain, tokens, connections, refusals',
  energy: 'the fold, as pure functions: samples to days, days to months, energy to money',
  expected:
    'what a plant should deliver, as pure functions: sky, planes, module temperature, arrays',
  series: 'the port to the engine that stores samples and roll-ups; its SQL and Cassandra forms',
  bindings: 'a device in its plant for a time, with all that the fold needs to know, and its lock',
  ingest: 'storing readings in the series, with everything derived from them; CSV files',
  moving: 'copying the series to another engine while nobody writes to them',
  telemetry: 'reading the series: newest values, days, months, curves',
  weather: 'what a weather service says of squares of 0.1 degrees: asking, reading, keeping',
  figures: 'which source counts, totals of plants, energy rows',
  commands: 'queue, hand-over to collectors, results, reading back, rights',
  strategies: 'plans, set points, owners’ limits, former settings',
  alarms: 'rules, the watch over the fleet, alarms that devices report',
  performance:
    'what plants lost and why, from readings, alarms and limits; what visits would bring',
  sinks: 'one event to one host over HTTP, MQTT or RocketMQ',
  delivery: 'when what was not taken is tried again, left alone or given up, as pure transitions',
  forwarding: 'events to applications: destinations, who may have what, delivery, replay',
  notifications: 'alarms and weekly summaries to people: e-mail, web push, webhooks, settings',
  reports: 'what a plant did in a month, as a page and as a PDF',
  exports: 'everything that an account has, as an archive',
  closing: 'how access to a closed account ends and its personal data is removed',
  operations: 'one handler per operation, from caller and input to output; knows no HTTP',
  edges:
    'one folder per access method, with its checks; `http` is shared, `listeners` has one file per port',
  cli: 'one file per command; calls operations as the operator',
};

/** Where a newcomer looks, by errand. Paths from the server's sources, or from the root. */
const errands: readonly (readonly [errand: string, path: string])[] = [
  ['add an operation', 'CONTRIBUTING.md'],
  ['see what somebody may see or do', 'fleet/plants/access.ts'],
  ['change a check of signed requests', 'interfaces/edges/user-api/authenticate.ts'],
  ['change how a request is validated, called and answered', 'interfaces/edges/http/mount.ts'],
  ['change tokens, codes or grants', 'identity/oauth'],
  ['find who made a change (audit trail)', 'identity/accounts/audit.ts'],
  ['understand pagination', 'identity/accounts/page-ends.ts'],
  ['understand idempotency of writes', 'identity/accounts/once.ts'],
  ['add a setting', 'platform/config/schema.ts'],
  ['add a table or a column (migration)', 'platform/storage/migrations'],
  ['schedule a job', 'platform/work/lane.ts'],
  ['follow a report from a collector', 'fleet/collectors/report.ts'],
  ['follow a reading to its day’s kWh', 'measurements/energy/day-energy.ts'],
  ['change what a counter’s step may be', 'measurements/energy/bounds.ts'],
  ['know which price a kWh has', 'measurements/energy/plant-prices.ts'],
  ['add an alarm rule', 'outbound/alarms/rules'],
  ['see how a loss gets its cause', 'outbound/performance/causes'],
  ['know when silence is an alarm', 'fleet/devices/silence.ts'],
  ['add a parameter or a device model', 'packages/devices/src/families'],
  ['see the states of a command', 'control/commands/life-cycle.ts'],
  ['know who wins over a strategy', 'control/strategies/pause-for-manual-write.ts'],
  ['divide a set point over batteries', 'control/strategies/set-point/divide.ts'],
  ['add an event kind', 'packages/contract/src/events.ts'],
  ['hear of a change within the service', 'platform/events/readers.ts'],
  ['change retry, circuit or dead letters of destinations', 'outbound/delivery/machine.ts'],
  ['change a snapshot that a destination begins with', 'outbound/forwarding/snapshots'],
  ['change whom a notification reaches', 'outbound/notifications/messages'],
  ['change what a live page is sent', 'interfaces/edges/portal/live'],
  ['add a screen', 'packages/portal/src/screens'],
  ['change a navigation entry', 'packages/portal/src/app/shell/navigation.ts'],
  ['see what is constructed, and from what', 'compose'],
];

/** docs/architecture.md. Throws for a room without a purpose, or an errand that leads nowhere. */
export function architecturePage(): string {
  for (const [errand, path] of errands)
    if (!existsSync(new URL(`${SERVER}/${path}`, ROOT)) && !existsSync(new URL(path, ROOT)))
      throw new Error(`scripts/docs/architecture.mts: "${errand}" leads to ${path}, which is gone`);
  return `# Architecture

Generated by \`scripts/docs/architecture.mts\`. \`lint/layers.ts\` says what each room may import; lint and \`test/architecture.test.ts\` enforce it.

\`\`\`text
packages/
${lines(Object.entries(packages), 2)}
  server/src/
    app.ts              opens an installation, starts what serves it, and stops it in order
    compose/            the one place that constructs things: to serve, to work, for the command line
    processes/          several processes at the same ports, and what they share
${Object.entries(WINGS)
  .toReversed()
  .map(([wing, names]) => drawing(wing as keyof typeof WINGS, names))
  .join('\n')}
\`\`\`

A wing imports only the wings below it, and a room only the rooms below it in its wing: in this drawing, what stands lower. The contract may be imported
everywhere. The portal imports only types of the contract, so that it does not ship the declarations.

## I want to …

| I want to … | look here |
|---|---|
${errands.map(([errand, path]) => `| ${errand} | \`${path}\` |`).join('\n')}

Paths without \`packages/\` begin in \`${SERVER}\`. A term that you do not find is in the [glossary](glossary.md).
`;
}

function drawing(wing: keyof typeof WINGS, names: readonly string[]): string {
  const entries = names.toReversed().map((room): [string, string] => {
    if (!Object.hasOwn(layers, `${SERVER}/${wing}/${room}`) && room !== 'edges')
      throw new Error(`lint/layers.ts has no rule for ${wing}/${room}`);
    const purpose = rooms[room];
    if (purpose === undefined)
      throw new Error(`scripts/docs/architecture.mts does not say what ${room} is for`);
    return [room, purpose];
  });
  return `    ${`${wing}/`.padEnd(20)}${wings[wing]}\n${lines(entries, 6)}`;
}

const lines = (entries: readonly (readonly [string, string])[], indent: number): string =>
  entries
    .map(([name, purpose]) => `${' '.repeat(indent)}${`${name}/`.padEnd(22 - indent)}  ${purpose}`)
    .join('\n');
