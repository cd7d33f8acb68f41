import { pino } from 'pino';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { settingPartsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { createDispatcher } from '../../packages/server/src/outbound/forwarding/dispatcher/dispatcher.ts';
import { createEgress } from '../../packages/server/src/platform/egress/egress.ts';
import { openSink } from '../../packages/server/src/outbound/sinks/open.ts';
import type { OutgoingEvent } from '../../packages/server/src/outbound/sinks/sink.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import {
  decideApplication,
  insertApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import { issueCode } from '../../packages/server/src/identity/oauth/families.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import type { Storage } from '../../packages/server/src/platform/storage/open.ts';
import { credentials } from '../../test/support/credentials.ts';
import { runOf } from '../../test/support/runs.ts';
import {
  clock as fleetClock,
  FIRST_AT,
  INTERVAL_MS,
  makeFleet,
  readingText,
} from '../ingest/fleet.ts';

const YEAR_MS = 365 * 86_400_000;
const SHARDS = ['0', '1', '2', '3'];
const APPLICATION = {
  redirectUri: 'https://bench.example/callback',
  scopes: ['access_data'],
} as const;

const began = performance.now();
/** Goes on from when the fleet was made. */
const clock = { now: (): number => Math.round(fleetClock.now() + performance.now() - began) };

/** What identifies a reading at a receiver. */
export const keyOf = (sn: string, at: number): string => `${sn} ${at}`;

/** A fleet that reports, platforms that its owner has given access, and a dispatcher. */
export async function createScene({ db }: Storage, devices: number) {
  const sns = await makeFleet(db, devices);
  const series = createSqlSeries(db);
  const ingest = createIngest({ db, clock, series });
  const act = {
    at: clock.now(),
    actor: 'operator' as const,
    address: null,
    newId: createIdSource(clock),
  };
  const box = await credentials.secretBox();
  const owner = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  let next = 0;
  let applications = 0;

  /** An application with destinations of all samples. */
  const connect = (urls: readonly string[]): Promise<string[]> =>
    db.transaction().execute(async (trx) => {
      const { application } = await insertApplication(trx, act, {
        ...APPLICATION,
        name: `Bench ${++applications}`,
      });
      await decideApplication(trx, act, application.id, 'approved');
      const ids: string[] = [];
      for (const url of urls)
        ids.push(
          await insertDestination(trx, act, box, application, {
            ...settingPartsOf({ url }),
            url,
            kinds: ['telemetry.sample'],
          }),
        );
      const consent = { accountId: owner.id, applicationId: application.id };
      const grantId = await recordConsent(trx, act, {
        ...consent,
        asked: 1,
        approved: 1,
        plantIds: null,
      });
      await issueCode(
        trx,
        act.at,
        { codeMs: YEAR_MS },
        { ...consent, grantId, scopes: 1, redirectUri: APPLICATION.redirectUri, challenge: '' },
      );
      return ids;
    });

  /** Stores the next readings of some devices; resolves to their keys. */
  async function report(some: readonly string[], each = 1): Promise<string[]> {
    const first = next;
    next += each;
    const keys: string[] = [];
    const texts = some.flatMap((sn) =>
      Array.from({ length: each }, (_, i) => {
        keys.push(keyOf(sn, FIRST_AT + (first + i) * INTERVAL_MS));
        return readingText(sn, first + i);
      }),
    );
    await ingest('operator', JSON.parse(`[${texts.join(',')}]`) as unknown[]);
    return keys;
  }

  /** Delivers until it is stopped. `onSent`: called with what a receiver has taken. */
  async function deliver(
    onSent: (events: readonly OutgoingEvent[]) => void = () => {},
  ): Promise<{ stop(): Promise<void> }> {
    const logger = pino({ level: 'warn' });
    const egress = createEgress({ allow: ['127.0.0.0/8'] });
    const dispatcher = createDispatcher({
      db,
      clock,
      ids: act.newId,
      logger,
      secretBox: box,
      telemetry: createTelemetry(settledReads(db, series)),
      idleMs: Infinity,
      async openSink(destination) {
        const sink = await openSink(destination, { egress, clock, logger });
        const send: typeof sink.send = async (events, signal) => {
          const outcome = await sink.send(events, signal);
          if (outcome.kind === 'delivered') onSent(events);
          return outcome;
        };
        return { ...sink, send };
      },
    });
    const stopping = new AbortController();
    const serve = async (key: string): Promise<void> => {
      while (!stopping.signal.aborted) await dispatcher.run(runOf(db, key));
    };
    const ended = Promise.all(SHARDS.map(serve));
    // Told by `stop`.
    ended.catch(() => {});
    return {
      async stop() {
        stopping.abort();
        dispatcher.close();
        await ended;
      },
    };
  }

  return { db, sns, clock, act, connect, report, deliver };
}

export type Scene = Awaited<ReturnType<typeof createScene>>;
