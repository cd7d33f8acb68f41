import { fullAt } from '../../packages/server/src/platform/storage/checks/growth.ts';
import { setImmediate } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { roomFinding } from '../../packages/server/src/interfaces/cli/installation/doctor-checks.ts';
import { registerProcessMetrics } from '../../packages/server/src/interfaces/edges/http/metrics/process-metrics.ts';
import {
  countingReports,
  registerStorageMetrics,
} from '../../packages/server/src/interfaces/edges/http/metrics/storage-metrics.ts';
import { createInstallation } from '../support/command.ts';
import {
  lastBackupAt,
  rememberBackup,
} from '../../packages/server/src/platform/storage/installation/last-backup.ts';
import { diskBytes } from '../../packages/server/src/platform/storage/checks/size.ts';
import { describeEngines } from '../support/engines.ts';

const MEGABYTE = 1024 * 1024;

async function valueOf(registry: Registry, line: string): Promise<number> {
  const text = await registry.metrics();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  if (found === undefined) throw new Error(`no ${line} in\n${text}`);
  return Number(found.slice(line.length));
}

describe('metrics', () => {
  test('show for how long the event loop stood still since they were last asked for', async () => {
    const registry = new Registry();
    registerProcessMetrics(registry, { version: '0', engine: 'sqlite' });
    const delayed = (): Promise<number> => valueOf(registry, 'nodejs_eventloop_delay_max_seconds');
    const turnFor = async (ms: number): Promise<void> => {
      for (const endAt = performance.now() + ms; performance.now() < endAt;) await setImmediate();
    };
    // Some samples are taken before and after.
    await turnFor(100);
    for (const endAt = performance.now() + 300; performance.now() < endAt;);
    await turnFor(50);
    expect(await delayed()).toBeGreaterThan(0.2);
    expect(await delayed()).toBeLessThan(0.2);
    expect(await valueOf(registry, 'nodejs_eventloop_delay_p99_seconds')).toBeGreaterThanOrEqual(0);
  });

  test('show how much the disk takes yet, where the database is embedded', async () => {
    const registry = new Registry();
    registerStorageMetrics(registry, {
      load: () => ({ busy: 0, idle: 0, waiting: 0 }),
      sizeBytes: async () => 67_890,
      growth: async () => undefined,
      tables: undefined,
      now: () => 0,
      fullAt,
      backupAt: () => Promise.reject(new Error('away')),
      freeBytes: () => 12_345,
    });
    expect(await valueOf(registry, 'helioport_disk_free_bytes')).toBe(12_345);
    expect(await valueOf(registry, 'helioport_database_size_bytes')).toBe(67_890);
    expect(await valueOf(registry, 'helioport_backup_timestamp_seconds')).toBe(0);
  });

  test('show the reports that wait to be stored', async () => {
    const registry = new Registry();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const store = countingReports(registry, (_: string) => promise);
    const stored = Promise.allSettled([store('a'), store('b')]);
    expect(await valueOf(registry, 'helioport_reports_in_work')).toBe(2);
    reject(new Error('away'));
    resolve(1);
    await stored;
    expect(await valueOf(registry, 'helioport_reports_in_work')).toBe(0);
  });
});

describeEngines('metrics of a database', (database) => {
  test('show its size and its last backup, and never wait long for either', async () => {
    const { db, load, address } = database();
    const registry = new Registry();
    let asked = 0;
    registerStorageMetrics(registry, {
      load,
      sizeBytes: () => diskBytes(db, address),
      growth: async () => undefined,
      tables: undefined,
      now: () => 0,
      fullAt,
      backupAt: () => (asked++ === 0 ? lastBackupAt(db) : new Promise(() => {})),
      freeBytes: undefined,
    });
    await rememberBackup(db, 1_790_000_000_000);
    await rememberBackup(db, 1_790_000_001_000);
    for (let i = 0; i < 3; i++)
      expect(await valueOf(registry, 'helioport_backup_timestamp_seconds')).toBe(1_790_000_001);
    expect(asked).toBe(2);
    expect(await valueOf(registry, 'helioport_database_size_bytes')).toBeGreaterThan(100_000);
  });

  test('show what its connections do and who waits', async () => {
    const { db, load } = database();
    const registry = new Registry();
    registerStorageMetrics(registry, {
      load,
      sizeBytes: () => Promise.resolve(0),
      growth: async () => undefined,
      tables: undefined,
      now: () => 0,
      fullAt,
      backupAt: () => Promise.resolve(undefined),
      freeBytes: undefined,
    });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const many = Array.from({ length: 12 }, () => db.transaction().execute(() => held));
    const most = database().engine === 'sqlite' ? 1 : 10;
    await expect
      .poll(() => valueOf(registry, 'helioport_database_connections{state="busy"}'))
      .toBe(most);
    expect(await valueOf(registry, 'helioport_database_waiting')).toBe(12 - most);
    release();
    await Promise.all(many);
    expect(await valueOf(registry, 'helioport_database_connections{state="busy"}')).toBe(0);
    expect(await valueOf(registry, 'helioport_database_connections{state="idle"}')).toBe(most);
    expect(await valueOf(registry, 'helioport_database_waiting')).toBe(0);
  });
});

describe('doctor', () => {
  test.each([
    [0, 'fault', '/data, 0 MB free: the disk is full, and nothing can be stored: free some space'],
    [
      31 * MEGABYTE,
      'fault',
      '/data, 31 MB free: the disk is full, and nothing can be stored: free some space',
    ],
    [32 * MEGABYTE, 'warning', '/data, 32 MB free: the disk will be full soon: free some space'],
    [511 * MEGABYTE, 'warning', '/data, 511 MB free: the disk will be full soon: free some space'],
    [512 * MEGABYTE, 'ok', '/data, 512 MB free'],
  ])('of a disk with %d bytes left says %s', (bytes, state, text) => {
    expect(roomFinding('/data', bytes)).toEqual({ state, text });
  });

  test('asks the disk of the data folder', async () => {
    const home = createInstallation();
    await home.ok('migrate');
    const findings = (await home.helioport('doctor', '--json')).json() as {
      check: string;
      text: string;
    }[];
    expect(findings.find(({ check }) => check === 'data folder')!.text).toMatch(
      /data, \d+ MB free/,
    );
    home.remove();
  });
});
