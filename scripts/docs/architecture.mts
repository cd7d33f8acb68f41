import { layers } from '../../lint/layers.ts';
import { importsOf, layerOf, readSources } from '../../lint/sources.ts';

/** What each folder is for. Throws if a folder with sources has no line here. */
const purposes: Readonly<Record<string, string>> = {
  contract: 'every operation, field, quantity and error, declared once; pure data and types',
  reference: 'the reference pages: HTML, style sheets and script',
  sdk: 'the signer and the typed client',
  'sdk/diagnosis': 'what explains a refused signature, to the command line and in the portal',
  collector: 'the library for collectors: a durable backlog, delivery, obedience; HTTP and MQTT',
  simulator: 'plants, their devices and scenarios; reports and obeys through the collector library',
  kernel: 'clock, ids, secrets, failures, logger',
  config: 'settings, master key, data folder',
  storage: 'both engines, migrations, tables, prepared statements, wake-ups',
  calendar: 'time zones, local days and changes of clocks',
  events: 'the log of events in the order in which they became visible, and who could want them',
  work: 'scheduled work: lanes by kind, leases, runs',
  mail: 'e-mails: letters, the outbox, delivery over SMTP',
  accounts:
    'accounts, key pairs, sessions, passwords, the audit trail, the guarantee that a write is carried out once',
  plants: 'plants, bindings, shares, companies, tariffs, and what a caller may see (access.ts)',
  oauth: 'applications, grants, codes and tokens',
  devices: 'devices, their states, their placement in plants, and the profiles of their models',
  collectors:
    'who may report, what a report may contain, tokens, connections, refusals; independent of HTTP and MQTT',
  energy: 'the fold, as pure functions: samples to days, days to months, energy to money',
  series: 'the port to the engine that stores samples and roll-ups, and its SQL implementation',
  'series/cassandra': 'its implementation on a Cassandra cluster',
  ingest: 'storing readings in the series, with everything derived from them; CSV files',
  moving: 'copying the series to another engine while nobody writes to them',
  telemetry: 'reading the series: newest values, days, months, curves',
  alarms: 'rules, the watch over the fleet, alarms that devices report',
  figures: 'which source is used, plant totals, energy rows',
  commands: 'commands to devices: queue, hand-over to collectors, results, reading back, rights',
  strategies:
    'what applications have devices do for a while: plans, set points, owners’ limits, former settings',
  news: 'how people and their programs are told of alarms and weeks: settings, e-mail, web push, webhooks',
  forwarding:
    'events to applications: their destinations, who may have what, delivery; which hosts may be reached (egress), over which transport (sinks)',
  exports: 'everything that an account has, as an archive: what it holds, its writing and reading',
  closing:
    'what becomes of an account that is closed: how access to it ends, how it is taken back, how its personal data is removed',
  operations: 'one handler per operation, from caller and input to output',
  'edges/http': 'the HTTP server that all edges share: mounting, limits, errors, metrics',
  'edges/user-api': 'the checks of signed requests',
  'edges/oauth-api': 'the checks of Bearer tokens',
  'edges/authorization': 'the OAuth endpoints and their pages',
  'edges/portal':
    'log-ins at the portal, the checks of its requests, what is told live, and the built app',
  'edges/gateway': 'collectors’ reports, commands and results over HTTP',
  'edges/mqtt': 'the same over MQTT: the embedded broker, and the client of an external one',
  'edges/listeners': 'one file per port: its server with the edges that it serves',
  processes:
    'several processes at the same ports: the primary that supervises them, and what they share through it',
  cli: 'one file per command; calls operations as the operator',
  'portal/i18n': 'the app’s languages, numbers, dates and units',
  'portal/wire': 'typed calls to the server, live updates, whether it can be reached',
  'portal/session': 'who is logged in, and the dialog that asks for it again',
  'portal/parts': 'what several screens share: charts, tables, forms, states of loading',
  'portal/screens': 'one folder per screen, with its texts',
  'portal/app': 'the frame: addresses, navigation, theme',
  'portal/offline': 'the service worker',
};

/** Folders that nearly all others import: their arrows would hide the rest. */
const EVERYWHERE = new Set(['contract', 'kernel', 'storage', 'calendar']);

const nameOf = (folder: string): string =>
  folder.replace(/^packages\/server\/src\//, '').replace(/^packages\/(\w+)\/src(?=\/|$)/, '$1');

/** docs/architecture.md: the folders and what imports what, read from the sources. */
export function architecturePage(): string {
  const graph = readGraph();
  const rooms = Object.keys(layers)
    .map(nameOf)
    .filter((room) => graph.has(room));
  const unnamed = rooms.filter((room) => purposes[room] === undefined);
  if (unnamed.length > 0)
    throw new Error(`scripts/docs/architecture.mts does not say what ${unnamed.join(', ')} is for`);
  return `# Architecture

Generated from the sources and \`lint/layers.ts\`, which says what each folder may import; lint and \`test/architecture.test.ts\` enforce it.
The folders are \`packages/NAME/src\` and \`packages/server/src/NAME\`. Each is listed before those that import it.

| folder | contents |
|---|---|
${rooms.map((room) => `| \`${room}\` | ${purposes[room]} |`).join('\n')}

\`app.ts\` and \`parts.ts\` put everything together and may import everything.

## What imports what

An arrow points from a folder to one that it imports. The diagram omits \`${[...EVERYWHERE].join('`, `')}\`, which most folders import, and arrows that
others imply.

\`\`\`mermaid
flowchart TD
${drawing(graph)}
\`\`\`
`;
}

function readGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const [path, text] of readSources('packages/*/src/**/*.ts')) {
    const folder = layerOf(path);
    if (folder === undefined) continue;
    const room = nameOf(folder);
    const targets = graph.get(room) ?? new Set();
    graph.set(room, targets);
    for (const { target } of importsOf(path, text)) {
      const other = layerOf(target);
      if (other !== undefined && other !== folder) targets.add(nameOf(other));
    }
  }
  return graph;
}

function drawing(graph: ReadonlyMap<string, ReadonlySet<string>>): string {
  const reach = (room: string): Set<string> => {
    const direct = [...(graph.get(room) ?? [])];
    return new Set([...direct, ...direct.flatMap((next) => [...reach(next)])]);
  };
  const id = (room: string): string => room.replace('/', '_');
  return [...graph]
    .filter(([room]) => !EVERYWHERE.has(room))
    .flatMap(([room, targets]) => {
      const shown = [...targets].filter((target) => !EVERYWHERE.has(target));
      const implied = new Set(shown.flatMap((target) => [...reach(target)]));
      return shown
        .filter((target) => !implied.has(target))
        .map((target) => `  ${id(room)}["${room}"] --> ${id(target)}["${target}"]`);
    })
    .toSorted()
    .join('\n');
}
