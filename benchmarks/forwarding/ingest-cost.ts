import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { settingPartsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { insertApplication } from '../../packages/server/src/identity/oauth/applications.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import type { Storage } from '../../packages/server/src/platform/storage/open.ts';
import { credentials } from '../../test/support/credentials.ts';
import type { BenchEngine } from '../ingest/engines.ts';
import { clock, makeFleet, readingText } from '../ingest/fleet.ts';
import { median, quantile } from '../support/quantiles.ts';

const BATCH = 500;
const PAIRS = 9;
const BATCHES_A_ROUND = 10;

const shapes = [
  { name: '10 devices x 50', devices: 10 },
  { name: '100 devices x 5', devices: 100 },
  { name: '500 devices x 1', devices: 500 },
];

/** What recording events costs ingest: the same batches with a destination that takes every reading, and without any. */
export async function measureIngestCost(engine: BenchEngine): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, devices } of shapes) {
    const [plain, telling] = [await engine.open(), await engine.open()];
    const sns = await makeFleet(plain.db, devices);
    await makeFleet(telling.db, devices);
    await addDestination(telling);
    for (const storage of [plain, telling]) await engine.analyze(storage);
    const rounds = [plain, telling].map((storage) => createRound(storage, sns));
    for (const round of rounds) await round();
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      // In turns, so that both see the same machine.
      const [without, withEvents] =
        pair % 2 === 0
          ? [await rounds[0]!(), await rounds[1]!()]
          : (await backwards(rounds)).toReversed();
      ratios.push(withEvents! / without!);
      rates.push(without!);
    }
    const [low, middle, high] = [quantile(ratios, 0.1), median(ratios), quantile(ratios, 0.9)].map(
      (ratio) => ratio.toFixed(2),
    );
    lines.push(
      `| ${engine.name} | ${name} | ${Math.round(median(rates))} | ${middle} (${low} to ${high}) |`,
    );
    for (const storage of [plain, telling]) await storage.close();
  }
  return lines;
}

async function backwards(rounds: readonly (() => Promise<number>)[]): Promise<number[]> {
  const second = await rounds[1]!();
  return [second, await rounds[0]!()];
}

/** A destination that takes every reading of the fleet's owner. */
async function addDestination({ db }: Storage): Promise<void> {
  const act = {
    at: clock.now(),
    actor: 'operator' as const,
    address: null,
    newId: createIdSource(clock),
  };
  const box = await credentials.secretBox();
  const owner = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    const { application } = await insertApplication(trx, act, {
      name: 'Bench',
      redirectUri: 'https://bench.example/callback',
      scopes: ['access_data'],
    });
    const url = 'https://bench.example/events';
    await insertDestination(trx, act, box, application, {
      ...settingPartsOf({ url }),
      url,
      kinds: ['telemetry.sample'],
    });
    await recordConsent(trx, act, {
      accountId: owner.id,
      applicationId: application.id,
      asked: 1,
      approved: 1,
      plantIds: null,
    });
  });
}

/** Ingests the next batches and resolves to samples per second. */
function createRound({ db }: Storage, sns: readonly string[]): () => Promise<number> {
  const ingest = createIngest({ db, clock, series: createSqlSeries(db) });
  const each = BATCH / sns.length;
  let next = 0;
  return async () => {
    const texts = Array.from({ length: BATCHES_A_ROUND }, () => {
      const batch = sns.flatMap((sn) =>
        Array.from({ length: each }, (_, i) => readingText(sn, next + i)),
      );
      next += each;
      return `[${batch.join(',')}]`;
    });
    const began = performance.now();
    for (const text of texts) await ingest('operator', JSON.parse(text) as unknown[]);
    return (BATCHES_A_ROUND * BATCH) / ((performance.now() - began) / 1000);
  };
}
