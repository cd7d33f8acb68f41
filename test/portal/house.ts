import { openLink } from '@helioport/collector';
import {
  backfill,
  createSite,
  type PlantSpecification,
  type Scenario,
  type Setting,
  type Site,
} from '@helioport/simulator';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { profileOf } from '../../packages/devices/src/profiles/profiles.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createFleet } from '../operations/fleet.ts';
import { sharedChromium } from '../support/browser.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import type { SettableClock } from '../support/world.ts';
import { visit, type Visit } from './visit.ts';

/** A plant with simulated devices, whose collector speaks to the whole server. */
export interface House {
  readonly ownerId: string;
  readonly plantId: string;
  readonly plantName: string;
  readonly zone: string;
  /** Ids of its devices by serial number. */
  readonly ids: ReadonlyMap<string, string>;
  readonly storageSn: string;
  readonly stringSn: string;
  readonly epmSn: string;
  readonly meterSn: string;
  readonly weatherSn: string;
  readonly collectorSn: string;
  /** What the devices have taken, in order. */
  readonly settings: readonly Setting[];
  readonly site: Site;
  /** Readings that its collector sends to the gateway now. */
  report(readings: readonly object[]): Promise<void>;
}

export interface Street {
  readonly fleet: ReturnType<typeof createFleet>;
  readonly app: RunningApp;
  readonly database: TestDatabase;
  house(change?: {
    readonly name?: string;
    readonly ownerId?: string;
    readonly scenarios?: readonly Scenario[];
  }): Promise<House>;
  open(accountId: string, path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** The address of a device's page. */
  pathOf(house: House, sn: string): string;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** Noon is now: at the longitude that the sun stands above, in a zone of its own. */
function noonPlace(now: number): { longitude: number; timeZone: string } {
  const ahead = 12 - new Date(now).getUTCHours();
  // POSIX counts the other way round.
  return {
    longitude: Math.max(-179, ahead * 15),
    timeZone: ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`,
  };
}

/** Houses behind one server, with one browser, which starts when a page is first opened. */
export async function createStreet(settings: Record<string, string> = {}): Promise<Street> {
  const database = await createSqliteDatabase();
  let browser: Promise<Browser> | undefined;
  const clock: SettableClock = { at: systemClock.now(), now: () => systemClock.now() };
  const fleet = createFleet(() => database, clock);
  const app = await startApp(database, {
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
    HELIOPORT_RATE_LIMIT: 'off',
    ...settings,
  });
  const sites: Site[] = [];
  return {
    fleet,
    app,
    database,
    async house({ name = 'House by the lake', ownerId: givenOwner, scenarios = [] } = {}) {
      const ownerId = givenOwner ?? (await fleet.person()).id;
      const now = clock.now();
      const { longitude, timeZone } = noonPlace(now);
      const plantId = await fleet.plant(ownerId, {
        name,
        timeZone,
        latitude: 10,
        longitude,
        capacityKwp: 15,
      });
      const [storageSn, stringSn, epmSn, meterSn, weatherSn, collectorSn] = [
        'HS',
        'HI',
        'EPM',
        'AM',
        'WS',
        'COL',
      ].map((stem) => fleet.uniqueSn(stem)) as [string, string, string, string, string, string];
      const specification: PlantSpecification = {
        seed: 7,
        place: { latitude: 10, longitude },
        timeZone,
        gridFrequencyHz: 50,
        gridVoltageV: 230,
        load: { baseW: 300, morningPeakW: 900, eveningPeakW: 1500 },
        epmSn,
        meterSn,
        weatherStationSn: weatherSn,
        inverters: [
          {
            sn: storageSn,
            ratedPowerW: 8000,
            phases: 3,
            startTotalKwh: 12_345.6,
            strings: [
              { kwp: 4, tilt: 10, azimuth: 180, modulesInSeries: 12 },
              { kwp: 4, tilt: 10, azimuth: 90, modulesInSeries: 12 },
            ],
            battery: { capacityKwh: 10, maxPowerW: 5000, reservePercent: 10 },
          },
          {
            sn: stringSn,
            ratedPowerW: 6000,
            phases: 1,
            startTotalKwh: 800,
            strings: [1, 2, 3, 4].map(() => ({
              kwp: 1.75,
              tilt: 10,
              azimuth: 180,
              modulesInSeries: 14,
            })),
          },
        ],
      };
      const { id: collectorId, token } = await fleet.write((trx) =>
        addCollector(trx, fleet.act(), { sn: collectorSn, plantId }),
      );
      const ids = new Map([[collectorSn, collectorId]]);
      for (const [sn, kind, more] of [
        [storageSn, 'inverter', { model: 'SIM-8K-ES' }],
        [stringSn, 'inverter', { model: 'SIM-6K' }],
        [epmSn, 'epm', {}],
        [meterSn, 'ammeter', {}],
        [weatherSn, 'weather', {}],
      ] as const) {
        const { id } = await fleet.device(plantId, { sn, kind, ...more });
        await fleet.write((trx) => assignCollector(trx, id, collectorId));
        ids.set(sn, id);
      }
      const taken: Setting[] = [];
      const site = createSite({
        specification,
        startAt: now - 4 * HOUR_MS,
        link: openLink({ url: app.addresses.gateway!, token }),
        scenarios: [
          { kind: 'string-failure', fromAt: 0, untilAt: Infinity, sn: stringSn, string: 3 },
          ...scenarios,
        ],
        parametersOf: (model) => profileOf(model).parameters,
        onSetting: (setting) => taken.push(setting),
      });
      sites.push(site);
      await backfill([site], now - 4 * HOUR_MS, now);
      await fleet.report(collectorSn, [[now, { signalDbm: -67 }]]);
      const report = async (readings: readonly object[]): Promise<void> => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
        const answer = await fetch(`${app.addresses.gateway}/v1/readings`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ readings }),
        });
        expect(await answer.json()).toMatchObject({ accepted: readings.length });
      };
      const serials = { storageSn, stringSn, epmSn, meterSn, weatherSn, collectorSn };
      return {
        ownerId,
        plantId,
        plantName: name,
        zone: timeZone,
        ids,
        ...serials,
        settings: taken,
        site,
        report,
      };
    },
    async open(accountId, path, options = {}) {
      return visit(
        await (browser ??= sharedChromium()),
        fleet,
        app.addresses['portal']!,
        accountId,
        path,
        { locale: 'en-GB', ...options },
      );
    },
    pathOf: ({ plantId, ids }, sn) => `/plants/${plantId}/devices/${ids.get(sn)}`,
    async close() {
      await Promise.all(sites.map(({ collector }) => collector.close()));
      await app.stop();
      await database.drop();
    },
  };
}
