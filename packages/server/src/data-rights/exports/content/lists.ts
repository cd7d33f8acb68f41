import type { OperationId } from '@helioport/contract';
import { findAccount } from '../../../identity/accounts/accounts.ts';
import type { NewEntry } from '../write-entry.ts';
import { indexLines } from './index-csv.ts';
import type { ExportSource } from './source.ts';

type Records = AsyncIterable<unknown>;
const PAGE = 100;
const LINES = 1_000;

/** Everything but what was measured, file by file. */
const lists: readonly (readonly [name: string, records: (source: ExportSource) => Records])[] = [
  ['account.json', account],
  ['plants.json', (source) => byId(source, 'stationDetailList')],
  ['archived-plants.json', archivedPlants],
  ['devices.json', devices],
  ['arrays.json', (source) => perPlant(source, 'plant/arrays', 'arrays')],
  ['tariffs.json', (source) => perPlant(source, 'tariff/list', 'tariffs')],
  ['shares.json', (source) => perPlant(source, 'share/list', 'shares')],
  ['company.json', company],
  ['invitations.json', (source) => byPage(source, 'invitation/list')],
  ['key-pairs.json', (source) => all(source, 'key/list')],
  ['authorizations.json', (source) => all(source, 'grant/list')],
  ['alarms.json', (source) => byPage(source, 'alarmList')],
  ['commands.json', commands],
  ['strategies.json', (source) => backwards(source, 'strategy/list', {})],
  ['audit.json', (source) => backwards(source, 'user/events', {})],
];

/** With the README before them and the index after them. */
export const LISTS = lists.length + 2;

/** One of the files that say what an account has; the first explains the others, and the last says whose the folders are. */
export function listEntry(source: ExportSource, no: number): NewEntry {
  if (no === 0) return { name: 'README.txt', content: () => only(README) };
  if (no === LISTS - 1) return { name: 'index.csv', content: () => indexLines(source) };
  const [name, records] = lists[no - 1]!;
  return { name, content: () => asJson(records(source)) };
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

async function* asJson(records: Records): AsyncGenerator<string> {
  let before = '[\n';
  for await (const record of records) {
    yield `${before}${JSON.stringify(record)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* account({ db, accountId }: ExportSource): Records {
  yield await findAccount(db, accountId);
}

async function* archivedPlants({ db, accountId }: ExportSource): Records {
  const columns = [
    'id',
    'name',
    'address',
    'latitude',
    'longitude',
    'capacityKwp',
    'timeZone',
    'createdAt',
    'archivedAt',
  ] as const;
  yield* await db
    .selectFrom('plant')
    .select(columns)
    .where('ownerId', '=', accountId)
    .where('archivedAt', 'is not', null)
    .orderBy('id')
    .execute();
}

async function* company({ ask }: ExportSource): Records {
  yield await ask('company/show', {});
}

async function* byId(
  { ask }: ExportSource,
  id: OperationId,
): AsyncGenerator<{ id: string; sn?: string }> {
  for (let minId = '0'; ;) {
    const data = await ask(id, { minId, pageSize: PAGE });
    const records: { id: string }[] = (data.page ?? data).records;
    yield* records;
    if (records.length < PAGE) return;
    minId = String(BigInt(records.at(-1)!.id) + 1n);
  }
}

async function* byPage({ ask }: ExportSource, id: OperationId): Records {
  for (let pageNo = 1; ; pageNo++) {
    const data = await ask(id, { pageNo, pageSize: PAGE });
    const { records } = data.page ?? data;
    yield* records;
    if (records.length < PAGE) return;
  }
}

/** Lists that are read from the newest record back. */
async function* backwards(
  { ask }: ExportSource,
  id: OperationId,
  about: Record<string, unknown>,
): Records {
  for (let before: string | undefined; ;) {
    const records: { id: string }[] = await ask(id, {
      ...about,
      limit: LINES,
      ...(before !== undefined && { before }),
    });
    yield* records;
    if (records.length < LINES) return;
    before = records.at(-1)!.id;
  }
}

async function* all({ ask }: ExportSource, id: OperationId): Records {
  yield* await ask(id, {});
}

const deviceLists = {
  inverter: 'inverterDetailList',
  collector: 'collectorList',
  epm: 'epmList',
  weather: 'weatherList',
  ammeter: 'ammeterList',
} as const;

async function* devices(source: ExportSource): Records {
  for (const [kind, id] of Object.entries(deviceLists))
    for await (const device of byId(source, id)) yield { kind, ...device };
}

async function* commands(source: ExportSource): Records {
  for await (const { sn } of byId(source, 'inverterDetailList')) {
    for await (const command of backwards(source, 'command/list', { sn }))
      yield { sn, ...(command as object) };
  }
}

/** What is asked plant by plant, of the account's own. */
async function* perPlant(
  { db, accountId, ask }: ExportSource,
  id: OperationId,
  name: string,
): Records {
  for (const plantId of await ownPlants(db, accountId))
    yield { plantId, [name]: await ask(id, { plantId }) };
}

async function ownPlants(db: ExportSource['db'], accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('plantAccess')
    .innerJoin('plant', 'plant.id', 'plantAccess.plantId')
    .select('plant.id')
    .where('plantAccess.accountId', '=', accountId)
    .where('plantAccess.level', '=', 'owner')
    .where('plant.archivedAt', 'is', null)
    .orderBy('plant.id')
    .execute();
  return rows.map(({ id }) => id);
}

const README = `What this account has, from Helioport.

account.json           the account itself
plants.json            plants that it owns or that are shared with it
archived-plants.json   its plants that are archived
devices.json           the devices in these plants
tariffs.json           energy prices of its own plants
shares.json            who may see its own plants
company.json           the company to which it belongs, and offers to join one
invitations.json       invitations sent and received
key-pairs.json         key pairs for signed requests; never their secrets
authorizations.json    what applications may do
alarms.json            alarms of these plants
commands.json          what devices were told to do, without what was only read
strategies.json        what applications had devices do for a while
audit.json             what happened to the account, its keys, plants and authorizations
index.csv              which plant and which device, by name, each of the following is of: names may be alike, ids are not
days/PLANT.csv         energy and money of each day, on the plant's calendar; the heads name the units
readings/PLANT/SERIAL-BINDING/YEAR-MONTH.*
                       what each device of its own plants measured, at full resolution

Instants in JSON are milliseconds since 1970-01-01T00:00:00Z. In readings, time_utc is in UTC and time_local on the plant's clock:
in CSV as spreadsheets take it for a time, in Parquet with its offset. In an hour that comes twice, time_utc tells which.
Names of quantities end in their unit, and so do those of figures in JSON: W, kWh, V, A, %, C.
Everything was read while the archive was being written: what changed meanwhile may be in one file and not yet in another.
`;
