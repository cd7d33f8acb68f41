import { sql, type CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { operations as contract, readRequest, type OperationId } from '@helioport/contract';
import { changeAlarms } from '../../packages/server/src/alarms/alarm-rows.ts';
import { createOperations } from '../../packages/server/src/operations/index.ts';
import type { Db } from '../../packages/server/src/storage/database.ts';
import { openStorage } from '../../packages/server/src/storage/open.ts';
import { createSqlSeries } from '../../packages/server/src/telemetry/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/telemetry/create-telemetry.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { listening } from './listening.ts';

const NOW = '2026-06-01T12:00:00Z';

describeEngines('the plans of statements', (database) => {
  const clock = settableClock(NOW);
  const fleet = createFleet(database, clock);

  /** Everything that can be asked of a small installation: its lists also by what narrows them, its first page and a later one. */
  const questions = async (): Promise<[id: OperationId, body: Record<string, unknown>, narrowed: boolean][]> => {
    const plantId = await fleet.plant(owner.id, { nmiCode: 'NMI1' });
    const kinds = ['collector', 'inverter', 'epm', 'weather', 'ammeter'] as const;
    const sns = new Map<string, string>();
    for (const kind of kinds) {
      const { id, sn } = await fleet.device(plantId, { kind });
      sns.set(kind, sn);
      await fleet.report(sn, [['2026-06-01T11:55:00Z', kind === 'collector' ? { signalDbm: -60 } : { acPowerW: 1000 }]]);
      const raise = { code: 'X', level: 2, message: 'x', beginAt: clock.now() } as const;
      await fleet.write((trx) => changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, id, [{ raise }]));
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
        [id, { nmiCode: 'NMI1' }, true],
        [id, { stationId: plantId }, true],
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
      ...charts.map(([id, body]): [OperationId, Record<string, unknown>, boolean] => [id, body, true]),
    ];
  };
  let owner: { id: string };

  /** The statements of all answers, each once, with the question that made it. */
  const statementsOfAll = async (): Promise<{ question: string; narrowed: boolean; statement: CompiledQuery }[]> => {
    owner = await fleet.person();
    const asked = await questions();
    const { db, statements } = listening(database().db);
    const handlers = createOperations({ db, clock, ids: fleet.newId, telemetry: createTelemetry({ db, series: createSqlSeries(db) }) });
    const found = new Map<string, { question: string; narrowed: boolean; statement: CompiledQuery }>();
    for (const [id, body, narrowed] of asked) {
      const read = readRequest(contract[id] as never, body) as { input: never } | { fault: unknown };
      if ('fault' in read) throw new Error(`${id} refuses ${JSON.stringify(body)}`);
      statements.length = 0;
      await handlers[id](userCaller(owner.id), read.input);
      for (const statement of statements) {
        const known = found.get(statement.sql);
        if (!known || narrowed) found.set(statement.sql, { question: `${id} ${JSON.stringify(body)}`, narrowed, statement });
      }
    }
    return [...found.values()];
  };

  /** Tables with few rows however large the fleet. */
  const SMALL = ['fieldList'];

  const scansOf = async (statement: CompiledQuery): Promise<string[]> => {
    const { db, engine } = database();
    if (engine === 'sqlite') {
      const rows = await planOf(db, statement);
      return rows.map(({ detail }) => detail).filter((detail) => /^SCAN (?!\(subquery|json_each|spans)/.test(detail) && !/VIRTUAL TABLE/.test(detail));
    }
    return (await genericPlan(database(), statement)).filter((line) => /Seq Scan on/.test(line));
  };

  test('of every answer begin at an index, before the engine has counted anything and after', async () => {
    const all = await statementsOfAll();
    expect(all.length).toBeGreaterThan(30);
    for (const counted of [false, true]) {
      if (counted) await sql`analyze`.execute(database().db);
      for (const { question, statement } of all) {
        if (!statement.sql.startsWith('select')) continue;
        const scans = (await scansOf(statement)).filter((scan) => !SMALL.some((table) => scan.includes(table)));
        expect([question, statement.sql, scans]).toEqual([question, statement.sql, []]);
      }
    }
  });

  test('of answers about named plants and devices go by these, never by all that the caller may see', async () => {
    if (database().engine === 'postgres') return;
    for (const { question, narrowed, statement } of await statementsOfAll()) {
      if (!narrowed) continue;
      const rows = await planOf(database().db, statement);
      const broad = rows.filter(({ detail }) => /^SEARCH (?:access|visibleSpan) .*\(accountId=\?\)/.test(detail));
      expect([question, statement.sql, broad]).toEqual([question, statement.sql, []]);
    }
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
      const { rows } = await sql<{ random_page_cost: string }>`show random_page_cost`.execute(storage.db);
      await storage.close();
      expect(rows).toEqual([{ random_page_cost: cost }]);
    }
  });
});

/** Of SQLite. */
const planOf = async (db: Db, statement: CompiledQuery): Promise<{ detail: string }[]> =>
  (await db.executeQuery<{ detail: string }>({ ...(statement as CompiledQuery<never>), sql: `explain query plan ${statement.sql}` })).rows;

/** As the engine would carry it out for any parameters, were scanning a table never cheapest. */
async function genericPlan({ db }: TestDatabase, { sql: text }: CompiledQuery): Promise<string[]> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  return db.connection().execute(async (connection) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    await sql`set enable_seqscan = off`.execute(connection);
    await sql.raw(`prepare looked as ${text}`).execute(connection);
    const call = parameters === 0 ? 'looked' : `looked(${Array.from({ length: parameters }, () => 'null').join(', ')})`;
    const { rows } = await sql.raw<Record<string, string>>(`explain execute ${call}`).execute(connection);
    for (const undo of ['deallocate looked', 'reset plan_cache_mode', 'reset enable_seqscan']) await sql.raw(undo).execute(connection);
    return rows.map((row) => row['QUERY PLAN']!);
  });
}
