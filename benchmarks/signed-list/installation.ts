import { operations } from '@helioport/contract';
import { createHash, createHmac } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import {
  insertKeyPair,
  type NewKeyPair,
} from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createWorld } from '../../test/support/world.ts';
import { credentials } from '../../test/support/credentials.ts';
import { operationsOn } from '../../test/support/operations.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';

export const PLANTS = 10;
export const secretBox = createSecretBox(Buffer.alloc(32, 7));
export const PATH = '/v1/api/userStationList';
export const BODY = '{"pageNo":1,"pageSize":100}';

const DAYS = 30;
const STEP_MS = 15 * 60_000;

/** Creates an owner with a key pair and ten plants in different zones, each with an inverter and a month of readings up to now. */
export async function install(db: Db): Promise<NewKeyPair> {
  const clock = { at: systemClock.now(), now: () => systemClock.now() };
  const world = createWorld(() => ({ db }), clock);
  const ingest = createIngest({ db, clock, series: createSqlSeries(db) });
  const owner = await world.person();
  const zones = ['Europe/Berlin', 'America/Denver', 'Australia/Adelaide', 'Asia/Kolkata', 'UTC'];
  for (let i = 0; i < PLANTS; i++) {
    const plantId = await world.plant(owner.id, {
      timeZone: zones[i % zones.length]!,
      pricePerKwh: 0.3,
      address: `Street ${i}`,
    });
    const { sn } = await world.device(plantId, { ratedPowerW: 10_000 });
    const readings = Array.from({ length: (DAYS * 86_400_000) / STEP_MS }, (_, n) => ({
      sn,
      at: clock.at - DAYS * 86_400_000 + n * STEP_MS,
      values: valuesAt(n),
    }));
    for (let start = 0; start < readings.length; start += 1000)
      await ingest('operator', readings.slice(start, start + 1000));
  }
  return world.write((trx) =>
    insertKeyPair(trx, world.act(), secretBox, owner.id, {
      label: 'bench',
      canControl: false,
      plantIds: null,
      cidrs: null,
      expiresAt: null,
    }),
  );
}

const valuesAt = (n: number): Record<string, number> => ({
  acPowerW: 4000 + (n % 97) * 10,
  dcPowerW: 4100 + (n % 97) * 10,
  energyTotalKwh: 1000 + n,
  energyTodayKwh: (n % 96) * 0.9,
  gridFrequencyHz: 50,
  temperatureC: 40,
  dcVoltage1V: 600,
  dcVoltage2V: 610,
  dcCurrent1A: 3,
  dcCurrent2A: 3.1,
  acVoltage1V: 230,
  acCurrent1A: 17,
});

/** The four headers of a request signed now. */
export function signedHeaders({ keyId, keySecret }: NewKeyPair): Record<string, string> {
  const parts = {
    md5: createHash('md5').update(BODY).digest('base64'),
    type: 'application/json;charset=UTF-8',
    date: new Date(systemClock.now()).toUTCString(),
  };
  const sign = createHmac('sha1', keySecret)
    .update(`POST\n${parts.md5}\n${parts.type}\n${parts.date}\n${PATH}`)
    .digest('base64');
  return {
    'Content-MD5': parts.md5,
    'Content-Type': parts.type,
    Date: parts.date,
    Authorization: `API ${keyId}:${sign}`,
  };
}

export const handlersOf = (db: Db) =>
  operationsOn(db, systemClock, createIdSource(systemClock), { credentials });

/** What both interfaces are built on, as in the product. */
export const offerOf = (db: Db) => ({
  db,
  clock: systemClock,
  operations: Object.values(operations),
  handlers: handlersOf(db),
  buckets: ownBuckets(systemClock),
  observability: createObservability({ logger: pino({ level: 'info' }), registry: new Registry() }),
  isReady: async () => true,
  isUnavailable: isStorageAway,
});

/** A statement as the product runs it. */
export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;
