import { openLink, type LinkOptions } from '@helioport/collector';
import {
  createSite,
  type InverterSpecification,
  type PlantSpecification,
} from '@helioport/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profileOf } from '../../packages/devices/src/profiles/profiles.ts';
import type { Parameter } from '../../packages/devices/src/profiles/profile.ts';
import { readsBackAs } from '../../packages/devices/src/parameters/read-back.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { openGateway } from '../gateway/gateway-fixture.ts';
import { openBroker, type OpenBroker } from '../mqtt/broker-fixture.ts';
import { berlinHouse } from '../simulator/berlin-house.ts';
import type { Home } from './scene.ts';
import { describeControl, type WireAnswer } from './wire.ts';

/** Devices that together have every parameter, by what they report of themselves. */
const devices: readonly (readonly [
  what: string,
  model: string,
  displayVersion: string | undefined,
])[] = [
  ['a storage inverter with six slots', 'SIM-8K-ES', '4b00'],
  ['a storage inverter with three slots', 'SIM-8K-ES', '4a00'],
  ['a storage inverter that counts export in hundreds of watts', '3105', '4b00'],
  ['a string inverter', 'SIM-8K', undefined],
];

const parametersOf = (model: string, displayVersion: string | undefined): Parameter[] => {
  const version = Number.parseInt(displayVersion ?? '0', 16);
  const all = [...profileOf(model).parameters.values()];
  const there = all.filter(
    ({ displayVersions: only }) =>
      !only || (version >= (only.from ?? 0) && version < (only.before ?? Infinity)),
  );
  // Only what differs from the first device.
  if (displayVersion === '4a00')
    return there.filter(
      ({ id, form }) => form.type === 'slots' || form.type === 'text' || id === '6798',
    );
  return model === '3105' ? there.filter(({ id }) => id === '499') : there;
};

test('every parameter of the existing interface is among those that are set or read', () => {
  const known = new Set(
    devices.flatMap(([, model, version]) => parametersOf(model, version).map(({ id }) => id)),
  );
  const listed =
    `15 18 56 48 53 52 54 5161 5162 103 4643 4644 4692 5007 157 158 160 469 7229 7963 172 7224 7226 230 376 499 636 696 543 4754 6798 6962 6968
    5916 5917 5918 5919 5920 5921 5922 5923 5924 5925 5926 5927 5928 5929 5930 5931 5932 5933 5946 5949 5952 5955 5958 5961 5948 5951 5954 5957 5960 5963
    5964 5968 5972 5976 5980 5987 5965 5969 5973 5977 5981 5984 5967 5971 5975 5979 5983 5986`.split(
      /\s+/,
    );
  expect(listed.filter((id) => !known.has(id))).toEqual([]);
});

/** What is written to a parameter that shows `has`, one value after the other, each other than the one before; nothing if it is set already. */
function valuesFor({ form }: Parameter, has: string): string[] {
  switch (form.type) {
    case 'number':
      return [form.min, form.min + form.step, form.max]
        .map((value) => String(Math.round(value * form.scale * 1e6) / 1e6))
        .filter((value) => value !== has)
        .slice(-1);
    case 'choice':
      return form.settable.filter((value) => value !== has).slice(0, 1);
    // Self-use and charging from the grid, then with times of use as well.
    case 'bits':
      return ['33', '35'].filter((value) => value !== has);
    case 'clock':
      return ['2026-06-15 18:00:00'];
    case 'slot':
      return ['01:00,05:30', '02:00-06:00'];
    case 'slots':
      return [
        '20,55,00:00,06:00,18:00,21:30,0,0,12:00,16:00,00:00,00:00,0,0,00:00,00:00,00:00,00:00',
        '30,55,00:00-06:00,18:00-21:30,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      ];
    // No simulated device has any.
    case 'times':
    case 'text':
      return [];
  }
}

interface Shown {
  readonly value: string;
  readonly raw: string;
}

const AT_ONCE = 15;
/** Long enough on a busy machine. */
const PATIENCE_MS = 60_000;

// interface C11
describeControl(
  'every parameter of a simulated device',
  (wire) => {
    let gateway: Awaited<ReturnType<typeof openGateway>>;
    let broker: OpenBroker;
    beforeAll(async () => {
      const { db, wakeUps } = wire.database();
      gateway = await openGateway(
        db,
        createIngest({ db, clock: wire.clock, series: createSqlSeries(db) }),
        wire.clock,
        null,
        wakeUps,
      );
      await gateway.server.listen({ host: '127.0.0.1', port: 0 });
      broker = await openBroker({ db, clock: wire.clock, wakeUps });
    });
    afterAll(async () => {
      await gateway.server.close();
      await broker.close();
    });

    /** Starts the simulation of an inverter, which says itself what it is. Returns the writes that reach it, and its end. */
    async function simulate(
      home: Home,
      [, model, displayVersion]: (typeof devices)[number],
      url: string,
    ) {
      const [storage, string] = berlinHouse.inverters;
      const inverter: InverterSpecification = {
        ...(displayVersion === undefined ? string : storage),
        sn: home.sn,
        model,
        ...(displayVersion && { displayVersion }),
      };
      const { meterSn: _, weatherStationSn: __, ...house } = berlinHouse;
      const specification: PlantSpecification = { ...house, inverters: [inverter] };
      const writes: string[] = [];
      const { token, collectorId, tokenId } = home;
      const access: LinkOptions = { url, token, collectorId, tokenId, clock: wire.clock };
      const site = createSite({
        specification,
        startAt: wire.clock.now(),
        link: openLink(access),
        parametersOf: (name) => profileOf(name).parameters,
        onSetting: ({ parameter }) => void writes.push(parameter),
        clock: wire.clock,
      });
      for (const { at: __at, ...report } of site.reports(wire.clock.now()))
        expect(await site.collector.deliver(report)).toMatchObject({
          refused: [],
          devices: { accepted: 1 },
        });
      return { writes, end: () => site.collector.close() };
    }

    /** Each parameter goes through one method on one engine, and through the other method on the other. */
    const doorOf = (share: number): 'signed' | 'oauth' =>
      (share % 2 === 0) === (wire.database().engine === 'sqlite') ? 'signed' : 'oauth';

    type Ask = (
      id: 'control' | 'atReadBatch',
      body: Record<string, unknown>,
    ) => Promise<WireAnswer>;

    async function readAll(
      ask: Ask,
      sn: string,
      parameters: readonly Parameter[],
    ): Promise<Map<string, Shown>> {
      const shown = new Map<string, Shown>();
      for (let from = 0; from < parameters.length; from += 50) {
        const cids = parameters.slice(from, from + 50).map(({ id }) => id);
        const [items] = (await ask('atReadBatch', { inverterSn: sn, cids: cids.join(',') })).body
          .data as [{ cid: string; msg: string; yuanzhi: string }[]];
        for (const { cid, msg, yuanzhi } of items) shown.set(cid, { value: msg, raw: yuanzhi });
      }
      return shown;
    }

    /** Reads every parameter, writes all that can be written, reads them back, and returns the writes in their order. */
    async function walk(ask: Ask, sn: string, parameters: readonly Parameter[]): Promise<string[]> {
      const before = await readAll(ask, sn, parameters);
      expect(parameters.filter(({ id }) => !before.get(id)?.value)).toEqual([]);
      const writes: string[] = [];
      const waiting = [...parameters];
      for (let parameter = waiting.shift(); parameter; parameter = waiting.shift()) {
        const { id: cid, access, cell, form, oldValueRequired } = parameter;
        const isShared = parameters.some((other) => other !== parameter && other.cell === cell);
        const { value: has, raw } = (isShared ? await readAll(ask, sn, [parameter]) : before).get(
          cid,
        )!;
        const values = access === 'write' ? valuesFor(parameter, has) : [has];
        // A switch that only turns on, and is on: its partner, which shares its cell, turns it off first.
        if (values.length === 0) {
          expect(waiting.some((other) => other.cell === cell)).toBe(true);
          waiting.push(parameter);
          continue;
        }
        for (const value of values) {
          const { body } = await ask('control', {
            inverterSn: sn,
            cid,
            value,
            ...(oldValueRequired && { yuanzhi: raw }),
          });
          if (access === 'read') {
            expect([cid, body.code, body.data.field]).toEqual([cid, 'H0001', 'cid']);
            continue;
          }
          expect([cid, value, body.code, body.data]).toMatchObject([
            cid,
            value,
            '0',
            [{ code: 0, sn }],
          ]);
          const { value: shows } = (await readAll(ask, sn, [parameter])).get(cid)!;
          expect([cid, value, shows, readsBackAs(parameter, value, shows)]).toEqual([
            cid,
            value,
            shows,
            true,
          ]);
          // Slots are read with a dash, however they were written.
          if (form.type !== 'clock')
            expect([cid, shows]).toEqual([cid, shownFormOf(parameter, value)]);
          writes.push(cid);
        }
      }
      return writes;
    }

    test.each(devices)(
      'of %s is written and read back, or read, by either method, over either protocol',
      { timeout: 120_000 },
      async (...device) => {
        const [, model, displayVersion] = device;
        const all = parametersOf(model, displayVersion);
        // Several inverters at a time, each with some of the parameters; those that share a cell stay together.
        const cells = [...Map.groupBy(all, ({ cell }) => cell).values()];
        const shares = Array.from({ length: AT_ONCE }, (_each, i) =>
          cells.filter((_one, n) => n % AT_ONCE === i).flat(),
        ).filter(({ length }) => length > 0);
        const httpUrl = gateway.server.listeningOrigin;
        const tried = shares.map(async (parameters, i) => {
          const door = doorOf(i);
          const home = await wire.home({ model: null });
          const { access_token: token } = await wire.pair(home.ownerId);
          const ask: Ask = (id, body) =>
            door === 'signed' ? wire.callAs(home.ownerId, id, body) : wire.bear(token, id, body);
          const simulated = await simulate(home, device, (i >> 1) % 2 === 0 ? httpUrl : broker.url);
          const { db } = wire.database();
          expect(
            await db
              .selectFrom('device')
              .select('model')
              .where('id', '=', home.deviceId)
              .executeTakeFirst(),
          ).toEqual({ model });
          const writes = await walk(ask, home.sn, parameters);
          // Once each, and every one was read back.
          expect(simulated.writes).toEqual(writes);
          const commands = db
            .selectFrom('command')
            .select(['state', 'reason'])
            .distinct()
            .where('deviceId', '=', home.deviceId);
          await expect
            .poll(() => commands.execute())
            .toEqual([{ state: 'verified', reason: null }]);
          await simulated.end();
        });
        await Promise.all(tried);
      },
    );
  },
  { patienceMs: PATIENCE_MS },
);

/** A value as devices show it. */
function shownFormOf({ form }: Parameter, value: string): string {
  if (form.type === 'slot') return value.replace(',', '-');
  if (form.type !== 'slots') return value;
  const fields = value.split(',');
  if (fields.length === 12) return value;
  const slots = [0, 6, 12].map((from) => {
    const [charge, discharge, a, b, c, d] = fields.slice(from, from + 6);
    return `${charge},${discharge},${a}-${b},${c}-${d}`;
  });
  return slots.join(',');
}
