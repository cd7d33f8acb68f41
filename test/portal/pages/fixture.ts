import { createClient, type Client } from '@helioport/sdk';
import { operations } from '@helioport/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { createFigureCaches } from '../../../packages/server/src/measurements/figures/sources.ts';
import { createRankingFigures } from '../../../packages/server/src/measurements/figures/plant/ranking-figures.ts';
import { createSqlSeries } from '../../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../../packages/server/src/measurements/ingest/settled-reads.ts';
import { expect } from 'vitest';
import { createFleet } from '../../operations/fleet.ts';
import { addOwner } from '../../oauth/fixture.ts';
import { complaintsOf, sharedChromium, openWindow } from '../../support/browser.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { operationsOn } from '../../support/operations.ts';
import { runOf } from '../../support/runs.ts';
import { startPortal, type StartPortalOptions, type TestPortal } from '../../support/portal.ts';
import type { SettableClock } from '../../support/world.ts';
import { addKey, startUserApi, type TestUserApi } from '../../user-api/fixture.ts';
import { visit } from '../visit.ts';

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 780 },
  isMobile: true,
  hasTouch: true,
};
export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 860 } };

/** For what a page does after a question or two to the server, on a busy machine. */
export const SOON = { timeout: 60_000 };

/** A window of somebody at the portal. */
export interface Visit {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** The built portal with a browser, one database, and the signed interface beside it. */
export interface PortalScene {
  readonly fleet: ReturnType<typeof createFleet>;
  readonly portal: TestPortal;
  database(): TestDatabase;
  owner(email: string): Promise<Account>;
  /** A client of the signed interface, for the same owner. */
  signed(owner: Account): Promise<Client>;
  /** Has the figures worked out that lists are sorted by. */
  settle(): Promise<void>;
  /** Opens an address of the portal as somebody who is logged in, or as nobody. */
  visit(owner: Account | null, path: string, options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** `options`: settings of the portal's listener. */
export async function openScene(
  clock: SettableClock,
  options: Pick<
    StartPortalOptions,
    'demoOwner' | 'mapTiles' | 'mapAttribution' | 'smtpUrl' | 'signUp'
  > = {},
): Promise<PortalScene> {
  const [database, browser] = await Promise.all([createSqliteDatabase(), sharedChromium()]);
  const fleet = createFleet(() => database, clock);
  const [portal, userApi] = await Promise.all([
    startPortal(database, clock, { livePace: { lookMs: 200, restMs: 50 }, ...options }),
    startUserApi(database, clock, {
      operations: Object.values(operations),
      handlers: operationsOn(database.db, clock, fleet.newId),
    }),
  ]);
  return scene({ database, browser, fleet, portal, userApi, clock });
}

interface Parts {
  readonly database: TestDatabase;
  readonly browser: Browser;
  readonly fleet: PortalScene['fleet'];
  readonly portal: TestPortal;
  readonly userApi: TestUserApi;
  readonly clock: SettableClock;
}

function scene({ database, browser, fleet, portal, userApi, clock }: Parts): PortalScene {
  const { db } = database;
  const telemetry = createTelemetry(settledReads(db, createSqlSeries(db)));
  const logger = { error: (fault: Error) => expect.unreachable(fault.message) } as never;
  const standings = createRankingFigures({
    db,
    clock,
    telemetry,
    caches: createFigureCaches(),
    logger,
  });
  return {
    fleet,
    portal,
    database: () => database,
    owner: (email) => addOwner(fleet, email),
    async signed({ id: accountId }) {
      const { keyId, keySecret } = await addKey(fleet, { accountId });
      return createClient({
        baseUrl: `http://127.0.0.1:${userApi.port}`,
        keyId,
        keySecret,
        clock,
        retries: 0,
      });
    },
    async settle() {
      while (await standings.run(runOf(db, '')));
    },
    async visit(owner, path, options = desk) {
      if (owner) return visit(browser, fleet, portal.url, owner.id, path, options);
      const page = await openWindow(browser, options);
      const complaints = complaintsOf(page);
      await page.goto(portal.url + path);
      return { page, complaints };
    },
    async close() {
      await Promise.all([portal.close(), userApi.close()]);
      await database.drop();
    },
  };
}
