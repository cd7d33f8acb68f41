import { pino } from 'pino';
import { expect } from 'vitest';
import type { EventKind } from '@helioport/contract';
import {
  BEGINNING,
  headPosition,
  isAfter,
  settledPosition,
} from '../../packages/server/src/platform/events/position.ts';
import { readEntries, type LoggedEvent } from '../../packages/server/src/platform/events/read.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import {
  settingPartsOf,
  type DestinationSettings,
} from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import {
  createDispatcher,
  type Dispatcher,
  type DispatcherDeps,
} from '../../packages/server/src/outbound/forwarding/dispatcher/dispatcher.ts';
import { createEgress } from '../../packages/server/src/platform/egress/egress.ts';
import { openSink } from '../../packages/server/src/outbound/sinks/open.ts';
import { issueCode } from '../../packages/server/src/identity/oauth/families.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { addClient } from '../oauth/fixture.ts';
import { credentials } from '../support/credentials.ts';
import type { SeriesOf } from '../support/engines.ts';
import { runOf } from '../support/runs.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const YEAR_MS = 365 * 86_400_000;

/** An event of the log with its data read. */
interface Logged extends Omit<LoggedEvent, 'data'> {
  readonly plantId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a destination of a test takes. */
export interface Wants extends Partial<DestinationSettings> {
  readonly kinds?: readonly EventKind[];
  readonly plantIds?: readonly string[];
  readonly deviceSns?: readonly string[];
}

/** Plants that report, platforms with destinations, and a deliverer, by one clock that stands until it is set. */
export function createForwardingScene(
  database: () => { db: Db },
  clock = settableClock('2026-06-15T12:00:00Z'),
  seriesOf?: SeriesOf,
) {
  const world = createReportingWorld(database, clock, seriesOf);
  const db = (): Db => database().db;
  const faults: unknown[] = [];
  const egress = createEgress({ allow: ['127.0.0.0/8'] });
  const logger = pino({ level: 'silent' });

  const ownerOf = async (plantId: string): Promise<string> =>
    (
      await db()
        .selectFrom('plant')
        .select('ownerId')
        .where('id', '=', plantId)
        .executeTakeFirstOrThrow()
    ).ownerId;

  /** Gives an application access to an owner's plants, for a year. */
  const grant = (
    applicationId: string,
    accountId: string,
    plantIds: readonly string[] | null = null,
    scopes = 1,
  ): Promise<string> =>
    world.write(async (trx) => {
      const act = world.act({ actor: `account:${accountId}` });
      const grantId = await recordConsent(trx, act, {
        accountId,
        applicationId,
        asked: 3,
        approved: scopes,
        plantIds,
      });
      const approval = {
        grantId,
        applicationId,
        accountId,
        scopes,
        redirectUri: 'https://platform.example/callback',
        challenge: '',
      };
      await issueCode(trx, clock.at, { codeMs: YEAR_MS }, approval);
      return grantId;
    });

  async function destination(
    application: { readonly id: string; readonly ownerId: string | null },
    url: string,
    { kinds, plantIds, deviceSns, ...settings }: Wants = {},
  ): Promise<string> {
    const box = await credentials.secretBox();
    return world.write((trx) =>
      insertDestination(trx, world.act(), box, application, {
        ...settingPartsOf({ url, ...settings }),
        url,
        kinds,
        plantIds,
        deviceSns,
      }),
    );
  }

  /** The deliverer; parts of it may be replaced. */
  const dispatcherWith = async (change: Partial<DispatcherDeps> = {}) =>
    createDispatcher({
      db: db(),
      clock,
      ids: world.newId,
      logger: { warn: (fault: unknown) => void faults.push(fault) },
      secretBox: await credentials.secretBox(),
      telemetry: world.parts().telemetry,
      openSink: (open) => openSink(open, { egress, clock, logger }),
      random: () => 0.5,
      idleMs: 0,
      ...change,
    });

  /** Until nothing can appear before what is there. Databases of other tests in the same cluster hold this up for a moment. */
  const settled = async (): Promise<void> => {
    await expect
      .poll(async () => isAfter(await headPosition(db()), await settledPosition(db())), {
        timeout: 60_000,
        interval: 5,
      })
      .toBe(false);
  };

  /** Has all parts of the destinations served with what is settled by now, until there is nothing to do. */
  const serve = async (dispatcher: Dispatcher): Promise<void> => {
    await settled();
    await Promise.all(['0', '1', '2', '3'].map((key) => dispatcher.run(runOf(db(), key))));
  };

  return {
    ...world,
    settled,
    serve,
    db,
    clock,
    faults,
    egress,
    logger,
    ownerOf,
    grant,
    destination,
    dispatcherWith,
    /** A plant with an inverter, a platform that its owner has given access, and a destination of the platform. */
    async connected(url: string, wants: Wants = {}) {
      const device = await world.install();
      const { application } = await addClient(world);
      const ownerId = await ownerOf(device.plantId);
      const destinationId = await destination(application, url, wants);
      const grantId = await grant(application.id, ownerId);
      return { device, application, ownerId, destinationId, grantId };
    },
    /** A second device in a plant, reported by the same collector. */
    async beside({ plantId, collectorId }: Installation): Promise<{ id: string; sn: string }> {
      const added = await world.device(plantId, { ratedPowerW: 10_000 });
      await db().updateTable('device').set({ collectorId }).where('id', '=', added.id).execute();
      return added;
    },
    /** Delivers what can be delivered now. */
    async deliver(change: Partial<DispatcherDeps> = {}): Promise<void> {
      const dispatcher = await dispatcherWith(change);
      await serve(dispatcher);
      dispatcher.close();
      if (faults.length > 0) throw faults[0];
    },
    /** Events of the log, in its order. */
    async logged(kind?: EventKind): Promise<Logged[]> {
      await settled();
      const entries = await readEntries(db(), BEGINNING, 10_000);
      return entries.flatMap(({ events, plantId }) =>
        events
          .filter((event) => kind === undefined || event.kind === kind)
          .map((event) => ({
            ...event,
            plantId,
            data: JSON.parse(event.data()) as Logged['data'],
          })),
      );
    },
    progress: (destinationId: string) =>
      db()
        .selectFrom('destinationProgress')
        .selectAll()
        .where('destinationId', '=', destinationId)
        .executeTakeFirstOrThrow(),
    waiting: (destinationId: string) =>
      db()
        .selectFrom('waitingDevice')
        .selectAll()
        .where('destinationId', '=', destinationId)
        .orderBy('subject')
        .execute(),
    letters: (destinationId: string) =>
      db()
        .selectFrom('deadLetter')
        .selectAll()
        .where('destinationId', '=', destinationId)
        .orderBy('eventId')
        .execute(),
  };
}
