import { constants, DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { operations as contract, readRequest, type OperationId } from '@helioport/contract';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { withToken } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { listening } from '../support/listening.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { operationsOn } from '../support/operations.ts';

const NOW = '2026-06-01T12:00:00Z';

describeEngines('the plans of statements', (database) => {
  const clock = settableClock(NOW);
  const fleet = createFleet(database, clock);

  /** Everything that can be asked of a small installation: its lists also by what narrows them, its first page and a later one. */
  const questions = async (): Promise<
    [id: OperationId, body: Record<string, unknown>, narrowed: boolean][]
  > => {
    const plantId = await fleet.plant(owner.id, { nmiCode: 'NMI1' });
    const kinds = ['collector', 'inverter', 'epm', 'weather', 'ammeter'] as const;
    const sns = new Map<string, string>();
    for (const kind of kinds) {
      const { id, sn } = await fleet.device(plantId, { kind });
      sns.set(kind, sn);
      await fleet.report(sn, [
        ['2026-06-01T11:55:00Z', kind === 'collector' ? { signalDbm: -60 } : { acPowerW: 1000 }],
      ]);
      const raise = { code: 'X', level: 2, message: 'x', beginAt: clock.now() } as const;
      await fleet.write((trx) =>
        changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, id, [{ raise }]),
      );
    }
    const [day, month, year] = ['2026-06-01', '2026-06', '2026'];
    const plantLists = [
      ['userStationList', {}],
      ['stationDetailList', {}],
      ['stationDayEnergyList', { time: day }],
      ['stationMonthEnergyList', { time: month }],
      ['stationYearEnergyList', { time: year }],
    ] as const;
    const deviceLists = [
      'inverterList',
      'inverterDetailList',
      'inverter/shelfTime',
      'collectorList',
      'epmList',
      'weatherList',
      'ammeterList',
      'alarmList',
    ] as const;
    const ofPlant = { id: plantId };
    const charts = kinds.flatMap((kind): [OperationId, Record<string, unknown>][] => {
      const sn = { sn: sns.get(kind)! };
      if (kind === 'collector')
        return [
          ['collectorDetail', sn],
          ['collector/day', { ...sn, time: day }],
        ];
      if (kind === 'weather') return [['weatherDetail', sn]];
      if (kind === 'ammeter') return [['ammeterDetail', sn]];
      if (kind === 'epm') {
        return [
          ['epmDetail', sn],
          ['epm/day', { ...sn, time: day }],
          ['epm/month', { ...sn, month }],
          ['epm/year', { ...sn, year }],
          ['epm/all', sn],
        ];
      }
      return [
        ['inverterDetail', sn],
        ['inverterDay', { ...sn, time: day }],
        ['inverterMonth', { ...sn, month }],
        ['inverterYear', { ...sn, year }],
        ['inverterAll', sn],
      ];
    });
    return [
      ...plantLists.flatMap(([id, body]): [OperationId, Record<string, unknown>, boolean][] => [
        [id, body, false],
        [id, { ...body, pageNo: 60 }, false],
        [id, { ...body, nmiCode: 'NMI1' }, true],
        [id, { ...body, idList: plantId }, true],
      ]),
      ...deviceLists.flatMap((id): [OperationId, Record<string, unknown>, boolean][] => [
        [id, {}, false],
        [id, { pageNo: 2, pageSize: 1 }, false],
        // Warranties are asked for by nothing but their page.
        [id, { nmiCode: 'NMI1' }, id !== 'inverter/shelfTime'],
        [id, { stationId: plantId }, id !== 'inverter/shelfTime'],
      ]),
      ['inverterList', { snList: [...sns.values()].join(',') }, true],
      ['alarmList', { alarmDeviceSn: sns.get('inverter') }, false],
      ['alarmList', { state: '0' }, false],
      ['alarmList', { alarmBeginTime: day, alarmEndTime: day }, false],
      ['stationDetail', ofPlant, true],
      ['stationDetail', { nmiCode: 'NMI1' }, true],
      ['stationDay', { ...ofPlant, time: day }, true],
      ['stationMonth', { ...ofPlant, month }, true],
      ['stationYear', { ...ofPlant, year }, true],
      ['stationAll', ofPlant, true],
      ...charts.map(([id, body]): [OperationId, Record<string, unknown>, boolean] => [
        id,
        body,
        true,
      ]),
    ];
  };
  let owner: { id: string };

  /** The statements of all answers, each once, with the question that made it. */
  const statementsOfAll = async (): Promise<
    { question: string; narrowed: boolean; text: string }[]
  > => {
    owner = await fleet.person();
    const asked = await questions();
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId);
    const found = new Map<string, { question: string; narrowed: boolean; text: string }>();
    for (const [id, body, narrowed] of asked) {
      const read = readRequest(contract[id] as never, body) as
        | { input: never }
        | { fault: unknown };
      if ('fault' in read) throw new Error(`${id} refuses ${JSON.stringify(body)}`);
      texts.length = 0;
      await handlers[id](userCaller(owner.id), read.input);
      for (const text of texts) {
        const known = found.get(text);
        if (!known || narrowed)
          found.set(text, { question: `${id} ${JSON.stringify(body)}`, narrowed, text });
      }
    }
    return [...found.values()];
  };

  /** Tables with few rows however large the fleet. */
  const SMALL = ['fieldList'];

  const scansOf = async (text: string): Promise<string[]> => {
    const { db, engine } = database();
    if (engine === 'sqlite') {
      const rows = await planOf(db, text);
      return rows
        .map(({ detail }) => detail)
        .filter(
          (detail) =>
            /^SCAN (?!\(subquery|CONSTANT ROW|json_each|counted|spans|wanted)/.test(detail) &&
            !/VIRTUAL TABLE/.test(detail),
        );
    }
    return (await genericPlan(database(), text)).filter((line) => /Seq Scan on/.test(line));
  };

  const withAndWithoutCounts = async (check: () => Promise<void>): Promise<void> => {
    const { db, engine } = database();
    await check();
    if (engine === 'postgres') await sql`analyze`.execute(db);
    else for (const statement of countsOfLargeFleet) await sql.raw(statement).execute(db);
    await check();
  };

  test('of every answer begin at an index, before the engine has counted anything and after', async () => {
    const all = await statementsOfAll();
    expect(all.length).toBeGreaterThan(30);
    await withAndWithoutCounts(async () => {
      for (const { question, text } of all) {
        if (!text.startsWith('select')) continue;
        const scans = (await scansOf(text)).filter(
          (scan) => !SMALL.some((table) => scan.includes(table)),
        );
        expect([question, text, scans]).toEqual([question, text, []]);
      }
    });
  });

  test('of answers about named plants and devices go by these, never by all that the caller may see', async () => {
    const { db, engine } = database();
    if (engine === 'postgres') return;
    const all = await statementsOfAll();
    await withAndWithoutCounts(async () => {
      for (const { question, narrowed, text } of all) {
        if (!narrowed) continue;
        const broad = (await planOf(db, text)).filter(({ detail }) =>
          /^SEARCH access .*\(accountId=\?\)/.test(detail),
        );
        expect([question, text, broad]).toEqual([question, text, []]);
      }
    });
  });

  test('of answers and of the look at who reports are made once on SQLite, not for each value of a parameter', async () => {
    const { db, engine, address } = database();
    if (engine === 'postgres') return;
    const texts = [
      ...(await statementsOfAll()).map(({ text }) => text),
      withToken(db, clock.now()).compile().sql,
    ];
    const connection = new DatabaseSync(address, { readOnly: true });
    let compiled = 0;
    connection.setAuthorizer(() => {
      compiled += 1;
      return constants.SQLITE_OK;
    });
    for (const text of texts) {
      if (!text.startsWith('select')) continue;
      const statement = connection.prepare(text);
      const parameters = Array.from(text.matchAll(/\?/g), () => '1');
      compiled = 0;
      for (let i = 0; i < 2; i++) statement.all(...parameters);
      expect([text, compiled]).toEqual([text, 0]);
    }
    connection.close();
  });

  test('on PostgreSQL reckon with storage that finds any page alike, unless the address says otherwise', async () => {
    const { engine, address } = database();
    if (engine === 'sqlite') return;
    const url = new URL(address);
    url.searchParams.set('options', '-c random_page_cost=3');
    for (const [at, cost] of [
      [address, '1.1'],
      [url.href, '3'],
    ] as const) {
      const storage = openStorage(at);
      const { rows } = await sql<{ random_page_cost: string }>`show random_page_cost`.execute(
        storage.db,
      );
      await storage.close();
      expect(rows).toEqual([{ random_page_cost: cost }]);
    }
  });
});

/** What ANALYZE counts on SQLite in 100,000 plants with 1,000,000 devices, an installer who sees all of them, and five years of alarms: rows, and rows of the same key. */
const countsOfLargeFleet = [
  'analyze',
  'delete from sqlite_stat1',
  `insert into sqlite_stat1 (tbl, idx, stat) values ${Object.entries({
    account: { sqlite_autoindex_account_1: '10002 1', sqlite_autoindex_account_2: '10002 1' },
    alarm: {
      alarmPlant: '5000000 50 20 1',
      alarmState: '5000000 1700000 1',
      alarmDay: '5000000 3000 1',
      alarmSn: '5000000 5 1',
      alarmBegin: '5000000 5 2 1',
    },
    binding: { bindingDevice: '1000005 1 1', bindingPlant: '1000005 10' },
    device: {
      deviceCheck: '1000005 1',
      deviceCollector: '1000005 10',
      deviceKind: '1000005 200001 1',
      devicePlant: '1000005 10 2 1',
      sqlite_autoindex_device_1: '1000005 1',
      sqlite_autoindex_device_2: '1000005 1',
    },
    deviceDay: { deviceDay: '300000000 300 1' },
    deviceMonth: { deviceMonth: '13000000 13 1' },
    plant: {
      plantOwner: '100001 10 1',
      plantMeter: '100001 1',
      sqlite_autoindex_plant_1: '100001 1',
    },
    plantAccess: { plantAccess: '200001 20 1', plantAccessPlant: '200001 2' },
    plantZone: { sqlite_autoindex_plantZone_1: '100001 1 1' },
    sample: { sample: '30000000000 30000 1' },
    visibleCount: { visibleCountAccount: '200000 20 4' },
  })
    .flatMap(([table, indexes]) =>
      Object.entries(indexes).map(([index, counts]) => `('${table}', '${index}', '${counts}')`),
    )
    .join(', ')}`,
  'analyze sqlite_schema',
];

/** Of SQLite. */
const planOf = async (db: Db, text: string): Promise<{ detail: string }[]> =>
  (await sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(db)).rows;

/** As the engine would carry it out for any parameters, were scanning a table never cheapest. */
async function genericPlan({ db }: TestDatabase, text: string): Promise<string[]> {
  const parameters = Math.max(
    0,
    ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)),
  );
  return db.connection().execute(async (connection) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    await sql`set enable_seqscan = off`.execute(connection);
    await sql.raw(`prepare looked as ${text}`).execute(connection);
    const call =
      parameters === 0
        ? 'looked'
        : `looked(${Array.from({ length: parameters }, () => 'null').join(', ')})`;
    const { rows } = await sql
      .raw<Record<string, string>>(`explain execute ${call}`)
      .execute(connection);
    for (const undo of ['deallocate looked', 'reset plan_cache_mode', 'reset enable_seqscan'])
      await sql.raw(undo).execute(connection);
    return rows.map((row) => row['QUERY PLAN']!);
  });
}
