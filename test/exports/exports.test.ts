import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, expect, test } from 'vitest';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { openArchive } from '../../packages/server/src/data-rights/exports/archive.ts';
import { LISTS } from '../../packages/server/src/data-rights/exports/content/lists.ts';
import { createExports } from '../../packages/server/src/data-rights/exports/job.ts';
import {
  EXPORT,
  EXPORT_KEPT_MS,
  getReadyExport,
  sweepExports,
} from '../../packages/server/src/data-rights/exports/rows.ts';
import { writeEntry } from '../../packages/server/src/data-rights/exports/write-entry.ts';
import { askAs } from '../../packages/server/src/interfaces/operations/as-account.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { transactionsOf } from '../../packages/server/src/platform/storage/transactions/transact.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { createFleet } from '../operations/fleet.ts';
import { credentials } from '../support/credentials.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'helioport-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeEngines('an export of what an account has', (database) => {
  const clock = settableClock('2026-03-29T10:00:00Z');
  const fleet = createFleet(database, clock);
  const faults: unknown[] = [];

  /** An instance with nothing to do but exports; `onTransaction` is called before each transaction of theirs, `onFinish` before the last one. */
  const instance = (
    onTransaction: () => unknown = () => {},
    onFinish: () => Promise<unknown> = async () => {},
  ) => {
    const { db } = database();
    const telemetry = createTelemetry(settledReads(db, createSqlSeries(db)));
    const exports = createExports({
      db,
      clock,
      ids: fleet.newId,
      telemetry,
      askAs: askAs(fleet.handlers()),
    });
    const logger = {
      error: (fault: object) => void faults.push((fault as { err?: unknown }).err),
      warn: () => {},
    };
    const run: typeof exports.run = (given) =>
      exports.run({
        ...given,
        async transaction(body) {
          await onTransaction();
          return given.transaction(body);
        },
        async finish(body) {
          await onFinish();
          return given.finish(body);
        },
      });
    return createRunner({
      db,
      clock,
      logger,
      lanes: { [EXPORT]: { runsAtOnce: 1, limitSeconds: 60, run } },
    });
  };

  const download = async (
    accountId: string,
    id: string,
  ): Promise<{ path: string; bytes: number }> => {
    const { db } = database();
    const archive = await openArchive(db, await getReadyExport(db, accountId, id, clock.at));
    const path = join(folder, `${id}.zip`);
    await pipeline(Readable.from(archive.content()), createWriteStream(path));
    return { path, bytes: archive.bytes };
  };

  /** The files of an archive, as Python reads them. */
  const filesOf = (path: string): Record<string, string> =>
    JSON.parse(
      execFileSync(
        'python3',
        [
          '-c',
          'import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint(json.dumps({n: z.read(n).decode("latin-1") for n in z.namelist()}))',
          path,
        ],
        { encoding: 'utf8', maxBuffer: 2 ** 27 },
      ),
    );
  const json = (files: Record<string, string>, name: string) =>
    JSON.parse(Buffer.from(files[name]!, 'latin1').toString());

  const furnish = async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, {
      name: 'Müllerhof',
      timeZone: 'Europe/Berlin',
      pricePerKwh: 0.1,
    });
    const { id: deviceId, sn } = await fleet.device(plantId, { sn: `${fleet.uniqueSn()}/../x` });
    // The second of these is in the night in which the clocks go forward.
    await fleet.report(sn, [
      ['2026-02-28T22:59:00Z', { acPowerW: 100.25, energyTotalKwh: 50 }],
      ['2026-03-29T00:59:00Z', { acPowerW: 0, energyTotalKwh: 60 }],
      ['2026-03-29T01:00:00Z', { gridFrequencyHz: 50.01 }],
      ['2026-03-29T09:00:00Z', { acPowerW: 2000, energyTotalKwh: 64 }],
    ]);
    const caller = userCaller(owner.id);
    return { owner, caller, plantId, deviceId, sn };
  };

  test('holds our own records in SI units, readings in UTC and on the plant’s clock, and no secret', async () => {
    const { owner, caller, plantId, sn } = await furnish();
    const { keyId, keySecret } = await fleet.write(async (trx) =>
      insertKeyPair(trx, fleet.act(), await credentials.secretBox(), owner.id, {
        label: 'home',
        canControl: true,
        plantIds: null,
        cidrs: null,
        expiresAt: null,
      }),
    );
    const other = await fleet.person();
    await fleet.plant(other.id);
    const shared = await fleet.plant(other.id, { name: 'Of somebody else' });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), shared, owner.email, 'control'));
    const old = await fleet.plant(owner.id, { name: 'Old shed' });
    await fleet.write((trx) => archivePlant(trx, fleet.act(), old));
    const { id } = await fleet.ask('export/start', caller);
    expect(await fleet.ask('export/start', caller, { format: 'parquet' })).toMatchObject({
      id,
      format: 'csv',
      state: 'underway',
      progress: 0,
    });
    await instance().runDue();
    const [listed] = await fleet.ask('export/list', caller);
    expect(listed).toMatchObject({
      id,
      state: 'ready',
      progress: 1,
      readyAt: clock.at,
      expiresAt: clock.at + EXPORT_KEPT_MS,
    });
    const { path, bytes } = await download(owner.id, id);
    expect(statSync(path).size).toBe(bytes);
    const files = filesOf(path);
    const signed = userCaller(owner.id, { keyId });
    const ownRecords = async (of: 'stationDetailList' | 'inverterDetailList'): Promise<any[]> =>
      JSON.parse(JSON.stringify((await fleet.ask(of, signed)).records));
    expect(json(files, 'plants.json')).toEqual(await ownRecords('stationDetailList'));
    expect(json(files, 'devices.json')).toEqual([
      { kind: 'inverter', ...(await ownRecords('inverterDetailList'))[0] },
    ]);
    expect(json(files, 'account.json')).toMatchObject([{ id: owner.id, email: owner.email }]);
    expect(json(files, 'archived-plants.json')).toMatchObject([{ id: old, name: 'Old shed' }]);
    expect(json(files, 'key-pairs.json')).toMatchObject([{ keyId, label: 'home' }]);
    // Shares of somebody else’s plant are its owner’s to export.
    expect(json(files, 'shares.json')).toMatchObject([
      { plantId, shares: [{ email: owner.email, level: 'owner' }] },
    ]);
    expect(json(files, 'audit.json').map(({ kind }: { kind: string }) => kind)).toContain(
      'key.created',
    );
    for (const name of [
      'tariffs',
      'invitations',
      'authorizations',
      'alarms',
      'commands',
      'strategies',
    ])
      expect(json(files, `${name}.json`)).toBeInstanceOf(Array);
    expect(JSON.stringify(files)).not.toContain(keySecret);
    expect(
      Object.keys(files)
        .filter((name) => name.startsWith('readings/'))
        .map((name) => name.split('/')[1]),
    ).toEqual([plantId, plantId, plantId].slice(0, 2));
    const stem = `readings/${plantId}/${sn.replaceAll('/', '_')}-`;
    const [february, march] = Object.keys(files)
      .filter((name) => name.startsWith(stem))
      .toSorted();
    expect([february!.slice(-11), march!.slice(-11)]).toEqual(['2026-02.csv', '2026-03.csv']);
    expect(files[february!]).toBe(
      'time_utc,time_local,acPowerW,energyTotalKwh\r\n2026-02-28T22:59:00.000Z,2026-02-28 23:59:00,100.25,50\r\n',
    );
    expect(files[march!]!.split('\r\n')).toEqual([
      'time_utc,time_local,acPowerW,gridFrequencyHz,energyTotalKwh',
      '2026-03-29T00:59:00.000Z,2026-03-29 01:59:00,0,,60',
      '2026-03-29T01:00:00.000Z,2026-03-29 03:00:00,,50.01,',
      '2026-03-29T09:00:00.000Z,2026-03-29 11:00:00,2000,,64',
      '',
    ]);
    const [header, ...days] = files[`days/${plantId}.csv`]!.trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const month: { dateStr: string; energy?: number }[] = await fleet.wire('stationMonth', signed, {
      id: plantId,
      month: '2026-03',
    });
    const shown = days.map((day) => [
      day[header!.indexOf('date')],
      Number(day[header!.indexOf('produced_kwh')]),
    ]);
    expect(Object.fromEntries(header!.map((name, i) => [name, days.at(-1)![i]]))).toMatchObject({
      date: '2026-03-29',
      currency: 'EUR',
    });
    expect(shown.slice(-month.length)).toEqual(
      month.map(({ dateStr, energy }) => [dateStr, energy ?? 0]),
    );
    expect(
      await database()
        .db.selectFrom('auditEvent')
        .select('kind')
        .where('accountId', '=', owner.id)
        .where('kind', 'like', 'export.%')
        .execute(),
    ).toEqual([{ kind: 'export.started' }, { kind: 'export.finished' }]);
  });

  test('its folders are ids, and an index says by name whose they are, also of plants of one name', async () => {
    const { owner, caller, plantId, sn } = await furnish();
    const twin = await fleet.plant(owner.id, { name: 'Müllerhof' });
    const { sn: second } = await fleet.device(twin, { name: '=HYPERLINK("x"), South' });
    await fleet.device(twin);
    await fleet.report(second, [['2026-03-29T09:00:00Z', { acPowerW: 7 }]]);
    const bare = await fleet.plant(owner.id, { name: 'Without devices' });
    const old = await fleet.plant(owner.id, { name: 'Old shed' });
    const { sn: gone } = await fleet.device(old);
    await fleet.report(gone, [['2026-03-29T09:00:00Z', { acPowerW: 5 }]]);
    await fleet.write((trx) => archivePlant(trx, fleet.act(), old));
    const { id } = await fleet.ask('export/start', caller);
    await instance().runDue();
    const files = filesOf((await download(owner.id, id)).path);
    const [header, ...lines] = Buffer.from(files['index.csv']!, 'latin1')
      .toString()
      .trim()
      .split('\r\n');
    expect(header).toBe('path,plant_id,plant,serial_number,device_kind,device,from_utc,to_utc');
    const listed = lines.map((text) => text.split(',').slice(0, 4));
    expect(listed.slice(0, 3)).toEqual([
      [`days/${plantId}.csv`, plantId, 'Müllerhof', ''],
      [`days/${twin}.csv`, twin, 'Müllerhof', ''],
      [`days/${bare}.csv`, bare, 'Without devices', ''],
    ]);
    expect(files[`days/${bare}.csv`]).toMatch(/^date,produced_kwh,[a-z0-9_,]+\r\n$/);
    expect(listed.slice(3).map((fields) => fields.slice(1))).toEqual([
      [plantId, 'Müllerhof', sn],
      [twin, 'Müllerhof', second],
      [old, 'Old shed', gone],
    ]);
    expect(lines[4]).toMatch(/inverter,"'=HYPERLINK\(""x""\), South",,$/);
    expect(lines[5]).toMatch(/,inverter,.*,2026-03-29T10:00:00\.000Z$/);
    // Each file of days and readings is in exactly one of them, and none is empty.
    const paths = listed.map(([path]) => path!);
    for (const path of paths)
      expect(Object.keys(files).filter((name) => name.startsWith(path)).length).toBeGreaterThan(0);
    for (const name of Object.keys(files).filter((one) => one.includes('/')))
      expect(paths.filter((path) => name.startsWith(path))).toHaveLength(1);
    for (const name of Object.keys(files)) expect(name).toMatch(/^[\w./-]+$/);
  });

  test('holds readings as Parquet if that is wanted', async () => {
    const { owner, caller } = await furnish();
    const { id } = await fleet.ask('export/start', caller, { format: 'parquet' });
    await instance().runDue();
    const files = filesOf((await download(owner.id, id)).path);
    const march = Object.keys(files).find((name) => name.endsWith('2026-03.parquet'))!;
    const bytes = Uint8Array.from(Buffer.from(files[march]!, 'latin1'));
    const writer = createRequire(import.meta.url).resolve('hyparquet-writer');
    const { parquetReadObjects } = await import(createRequire(writer).resolve('hyparquet'));
    expect(await parquetReadObjects({ file: bytes.buffer })).toEqual([
      {
        time_utc: new Date('2026-03-29T00:59:00Z'),
        time_local: '2026-03-29T01:59:00+01:00',
        acPowerW: 0,
        gridFrequencyHz: null,
        energyTotalKwh: 60,
      },
      {
        time_utc: new Date('2026-03-29T01:00:00Z'),
        time_local: '2026-03-29T03:00:00+02:00',
        acPowerW: null,
        gridFrequencyHz: 50.01,
        energyTotalKwh: null,
      },
      {
        time_utc: new Date('2026-03-29T09:00:00Z'),
        time_local: '2026-03-29T11:00:00+02:00',
        acPowerW: 2000,
        gridFrequencyHz: null,
        energyTotalKwh: 64,
      },
    ]);
  });

  test('goes on where it was after each interruption, and is the same archive', async () => {
    const { owner, caller } = await furnish();
    const whole = await fleet.ask('export/start', caller);
    await instance().runDue();
    const expected = filesOf((await download(owner.id, whole.id)).path);
    const { id } = await fleet.ask('export/start', caller);
    // Transactions fail here and there; the run begins again later.
    let transactions = 0;
    let failures = 0;
    const interrupted = instance(() => {
      if (++transactions % 5 > 0 && transactions % 7 > 0) return;
      failures += 1;
      throw new Error('killed');
    });
    let progress = 0;
    for (let i = 0; i < 60; i++) {
      await interrupted.runDue();
      const [now] = await fleet.ask('export/list', caller);
      expect(now!.progress).toBeGreaterThanOrEqual(progress);
      progress = now!.progress;
      if (now!.state === 'ready') break;
      clock.at += 3_600_000;
    }
    expect(failures).toBeGreaterThan(5);
    expect(new Set(faults.splice(0).map(String))).toEqual(new Set(['Error: killed']));
    const files = filesOf((await download(owner.id, id)).path);
    expect(Object.keys(files)).toEqual(Object.keys(expected));
    // Only the trail tells of the second export, and states follow the clock.
    for (const name of Object.keys(files).filter(
      (one) => !/^(audit|plants|devices)\.json$/.test(one),
    ))
      expect([name, files[name]]).toEqual([name, expected[name]]);
    await expect(getReadyExport(database().db, owner.id, whole.id, clock.at)).rejects.toThrow(
      'no permission',
    );
  });

  test('is only its account’s, can be cancelled while it is written, and is deleted in time', async () => {
    const { db } = database();
    const { owner, caller } = await furnish();
    const stranger = userCaller((await fleet.person()).id);
    const { id } = await fleet.ask('export/start', caller);
    await expect(getReadyExport(db, owner.id, id, clock.at)).rejects.toThrow('no permission');
    await expect(fleet.ask('export/cancel', stranger, { id })).rejects.toThrow('no permission');
    let transactions = 0;
    const cancelling = instance(() => {
      if (++transactions === 9)
        void database()
          .db.updateTable('accountExport')
          .set({ state: 'over' })
          .where('id', '=', id)
          .execute();
    });
    await cancelling.runDue();
    expect(await fleet.ask('export/list', caller)).toEqual([]);
    const leftOf = async (exportId: string) => {
      const tables = ['exportChunk', 'exportEntry'] as const;
      const rows = await Promise.all(
        tables.map((table) =>
          db.selectFrom(table).select('exportId').where('exportId', '=', exportId).execute(),
        ),
      );
      return rows.flat().length;
    };
    // As much as it may, and the rest at the next times.
    expect(await sweepExports(db, clock.at, 2)).toBe(2);
    while ((await sweepExports(db, clock.at, 2)) > 0);
    expect(await leftOf(id)).toBe(0);
    const next = await fleet.ask('export/start', caller);
    expect(next.id).not.toBe(id);
    await instance().runDue();
    await expect(getReadyExport(db, stranger.accountId, next.id, clock.at)).rejects.toThrow(
      'no permission',
    );
    expect(await leftOf(next.id)).toBeGreaterThan(10);
    clock.at += EXPORT_KEPT_MS - 1;
    await sweepExports(db, clock.at, 100);
    expect((await getReadyExport(db, owner.id, next.id, clock.at)).id).toBe(next.id);
    clock.at += 1;
    await expect(getReadyExport(db, owner.id, next.id, clock.at)).rejects.toThrow('no permission');
    expect(await fleet.ask('export/list', caller)).toEqual([]);
    while ((await sweepExports(db, clock.at, 100)) > 0);
    expect(await leftOf(next.id)).toBe(0);
    expect(
      await db.selectFrom('accountExport').select('id').where('id', '=', next.id).execute(),
    ).toEqual([]);
  });

  test('makes progress: a tenth for the lists, and the rest for readings, month by month', async () => {
    const { caller } = await furnish();
    await fleet.ask('export/start', caller);
    const seen = new Set<number>();
    const look = async () =>
      seen.add(Math.round((await fleet.ask('export/list', caller))[0]!.progress * 1e6) / 1e6);
    await instance(look, look).runDue();
    const ofLists = Array.from({ length: LISTS }, (_, i) => Math.round((i / LISTS) * 1e5) / 1e6);
    expect([...seen]).toEqual([...ofLists, 0.1, 0.55, 1]);
  });

  test('keeps its files in pieces, and a file that cannot be read to its end fails', async () => {
    const { db } = database();
    const { id: exportId } = await fleet.ask('export/start', userCaller((await fleet.person()).id));
    const place = { exportId, entryNo: 0, transaction: transactionsOf(db) };
    for (const isPacked of [true, false]) {
      const content = async function* () {
        yield 'begun';
        throw new Error('nobody answers');
      };
      await expect(writeEntry(place, { name: 'broken', isPacked, content })).rejects.toThrow(
        'nobody answers',
      );
    }
    const content = async function* () {
      for (let part = 0; part < 3; part++) yield Buffer.alloc(200_000, part);
    };
    expect(await writeEntry(place, { name: 'large', isPacked: true, content })).toMatchObject({
      size: 600_000,
      packedSize: 600_000,
    });
    const chunks = await db
      .selectFrom('exportChunk')
      .select('content')
      .where('exportId', '=', exportId)
      .orderBy('no')
      .execute();
    expect(chunks.map((chunk) => chunk.content.length)).toEqual([400_000, 200_000]);
  });

  test('goes on beside that of somebody else, and each has its own files', async () => {
    const [one, other] = [await furnish(), await furnish()];
    const ids = [
      await fleet.ask('export/start', one.caller),
      await fleet.ask('export/start', other.caller),
    ].map(({ id }) => id);
    // The end of a third one is that of no other.
    const third = await furnish();
    await fleet.ask('export/cancel', third.caller, {
      id: (await fleet.ask('export/start', third.caller)).id,
    });
    await instance().runDue();
    for (const [i, { owner, sn }] of [one, other].entries()) {
      const files = filesOf((await download(owner.id, ids[i]!)).path);
      expect(json(files, 'account.json')).toMatchObject([{ email: owner.email }]);
      expect(files['index.csv']).toContain(sn);
    }
  });

  test('that is cancelled at its very end is not said to be finished', async () => {
    const { owner, caller } = await furnish();
    const { id } = await fleet.ask('export/start', caller);
    await instance(undefined, () => fleet.ask('export/cancel', caller, { id })).runDue();
    expect(await fleet.ask('export/list', caller)).toEqual([]);
    const trail = await database()
      .db.selectFrom('auditEvent')
      .select('kind')
      .where('accountId', '=', owner.id)
      .where('kind', 'like', 'export.%')
      .orderBy('id')
      .execute();
    expect(trail.map(({ kind }) => kind)).toEqual(['export.started', 'export.cancelled']);
  });

  test('of whose plants one has gone meanwhile, begins the next device with its first month', async () => {
    const { db } = database();
    const { owner, caller } = await furnish();
    const { id } = await fleet.ask('export/start', caller);
    const place = JSON.stringify({ stage: 'readings', binding: 0, month: 202_603 });
    await db.updateTable('accountExport').set({ place }).where('id', '=', id).execute();
    await instance().runDue();
    const files = Object.keys(filesOf((await download(owner.id, id)).path));
    expect(files.map((name) => name.slice(-'2026-02.csv'.length))).toEqual([
      '2026-02.csv',
      '2026-03.csv',
    ]);
  });
});
