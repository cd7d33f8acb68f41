import { createClient, type Client } from '@helioport/sdk';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import {
  createOperatorDoor,
  type OperatorDoor,
} from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { modbusPython, startModbusServer } from '../bus/modbus-server.ts';
import { sunspecMeter } from '../devices/registers/sunspec-meter.ts';
import { createPlace } from '../site/collecting.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { operationSources } from '../support/operations.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createWorld } from '../support/world.ts';
import { P1_SN, p1Telegram } from './p1-telegram.ts';
import { SML_SN, smlTelegram } from './sml-telegram.ts';
import { GEN24 } from './fronius-answers.ts';
import { hasMosquitto, PORTAL, startGxDevice } from './gx-device.ts';
import { startHttpDevice } from './http-device.ts';
import { PRO_3EM } from './shelly-answers.ts';
import { startTelegramServer } from './telegram-server.ts';
import { omnikFrame, startV4Stick, TEXT, V4_SERIAL } from './v4-stick.ts';

/** A source of these tests: what stands in collect.yaml, and what the signed interface has to say in the end. */
interface Case {
  readonly name: string;
  start(): Promise<{ readonly lines: readonly string[]; stop(): unknown }>;
  /** By serial number: the operation, and what it must contain. */
  readonly expected: Readonly<
    Record<string, readonly ['ammeterDetail' | 'inverterDetail', Readonly<Record<string, unknown>>]>
  >;
}

const victron: Case = {
  name: 'Victron over MQTT',
  async start() {
    const gx = await startGxDevice();
    return { lines: [`address: victron://127.0.0.1:${gx.port}`], stop: () => gx.close() };
  },
  expected: {
    [PORTAL]: [
      'inverterDetail',
      {
        pac: 2.301,
        pacStr: 'kW',
        psum: 1.5,
        psumStr: 'kW',
        batteryPower: 0.95,
        batteryPowerStr: 'kW',
        batteryCapacitySoc: 81.5,
      },
    ],
    BP98305081235: [
      'ammeterDetail',
      {
        psum: 1.5,
        psumStr: 'kW',
        eTotalPositiveActive: 1.2345,
        eTotalReverseActive: 5.4321,
        uA: 231.2,
      },
    ],
  },
};

const python = await modbusPython();
const sunspec = (program: string): Case => ({
  name: 'a SunSpec meter over Modbus TCP',
  async start() {
    const words = await sunspecMeter(program, 'Fronius', 213);
    const server = await startModbusServer(program, 'tcp', { 240: { 3: { 40_000: words } } });
    const lines = [`address: tcp://127.0.0.1:${server.place}`, 'unit: 240'];
    return { lines, stop: () => server.stop() };
  },
  expected: {
    M1: [
      'ammeterDetail',
      {
        psum: 1.5,
        psumStr: 'kW',
        eTotalPositiveActive: 1.23456,
        eTotalReverseActive: 7.65432,
        uA: 230.1,
        iB: 2.34,
        pA: 900,
        pC: -200,
        aLookedPower: 910,
        totalViewPower: 1710,
        fAc: 49.98,
      },
    ],
  },
});

const CASES: readonly Case[] = [
  {
    name: 'an old stick (V4) that is asked',
    async start() {
      const stick = await startV4Stick(() => [omnikFrame(), TEXT]);
      return {
        lines: [`address: v4://127.0.0.1:${stick.port}?serial=${V4_SERIAL}`],
        stop: () => stick.close(),
      };
    },
    expected: {
      NLDN1520150001: [
        'inverterDetail',
        {
          pac: 2.2,
          pacStr: 'kW',
          eToday: 5.12,
          eTotal: 12.3456,
          eTotalStr: 'MWh',
          uPv1: 320.1,
          iPv2: 4.7,
          uAc2: 233.8,
          fac: 49.99,
          inverterTemperature: 41.5,
        },
      ],
    },
  },
  {
    name: 'P1 over TCP',
    async start() {
      const server = await startTelegramServer(p1Telegram);
      return { lines: [`address: p1://127.0.0.1:${server.port}`], stop: () => server.close() };
    },
    expected: {
      [P1_SN]: [
        'ammeterDetail',
        {
          psum: 2.345,
          psumStr: 'kW',
          eTotalPositiveActive: 1.324,
          eTotalPositiveActiveStr: 'MWh',
          eTotalReverseActive: 4.321003,
          eTotalReverseActiveStr: 'MWh',
          uA: 230.1,
          uAStr: 'V',
          iA: 5,
          pA: 1176,
          pC: -7,
        },
      ],
    },
  },
  {
    name: 'SML over TCP',
    async start() {
      const server = await startTelegramServer(smlTelegram);
      return { lines: [`address: sml://127.0.0.1:${server.port}`], stop: () => server.close() };
    },
    expected: {
      [SML_SN]: [
        'ammeterDetail',
        {
          psum: 2.346,
          psumStr: 'kW',
          eTotalPositiveActive: 1.234568,
          eTotalPositiveActiveStr: 'MWh',
          eTotalReverseActive: 4.321001,
          eTotalReverseActiveStr: 'MWh',
          uA: 230.1,
          uAStr: 'V',
          iA: 10.2,
          pA: 2346,
          pC: -0.33,
          fAc: 49.9,
        },
      ],
    },
  },
  {
    name: 'Shelly over HTTP',
    async start() {
      const device = await startHttpDevice({ answers: () => PRO_3EM });
      return { lines: [`address: shelly://127.0.0.1:${device.port}`], stop: () => device.close() };
    },
    expected: {
      AABBCCDDEEFF: [
        'ammeterDetail',
        {
          psum: 1.5,
          psumStr: 'kW',
          eTotalPositiveActive: 123.457,
          eTotalPositiveActiveStr: 'kWh',
          eTotalReverseActive: 9.877,
          eTotalReverseActiveStr: 'kWh',
          uB: 236.2,
          iA: 4.029,
          pA: 951.2,
          pC: -402.3,
        },
      ],
    },
  },
  {
    name: 'Fronius Solar API',
    async start() {
      const device = await startHttpDevice({ answers: () => GEN24 });
      return { lines: [`address: fronius://127.0.0.1:${device.port}`], stop: () => device.close() };
    },
    expected: {
      34567890: [
        'inverterDetail',
        {
          pac: 3.012,
          pacStr: 'kW',
          psum: 1.2,
          psumStr: 'kW',
          batteryPower: 2.101,
          batteryPowerStr: 'kW',
          batteryCapacitySoc: 66.6,
        },
      ],
      1234567890: [
        'ammeterDetail',
        {
          psum: 1.2,
          psumStr: 'kW',
          eTotalPositiveActive: 1.234568,
          eTotalPositiveActiveStr: 'MWh',
          pC: -200,
        },
      ],
    },
  },
  ...(hasMosquitto ? [victron] : []),
  ...(python ? [sunspec(python)] : []),
];

let database: TestDatabase;
let app: RunningApp;
let client: Client;
let operator: OperatorDoor;
let notes: readonly string[];
const ended: (() => unknown)[] = [];
const world = createWorld(() => database, { at: systemClock.now(), now: () => systemClock.now() });

beforeAll(async () => {
  database = await createSqliteDatabase();
  ended.push(() => database.drop());
  app = await startApp(database, { HELIOPORT_ROLES: 'user-api,gateway,worker' });
  ended.push(() => app.stop());
  operator = createOperatorDoor(
    operationSources(database.db, systemClock, createIdSource(systemClock), {
      credentials: {
        secretBox: async () => app.secretBox,
        legacyLogin: false,
        defaultTimeZone: 'UTC',
      },
    }),
  );
  const owner = await world.person();
  const plantId = await world.plant(owner.id);
  const { token } = await world.write((trx) =>
    addCollector(trx, world.act(), { sn: world.uniqueSn('COL'), plantId }),
  );
  const pair = await operator.call('key/create', { email: owner.email, label: 'test' });
  client = createClient({ baseUrl: app.addresses['user-api']!, ...pair });

  const place = createPlace();
  ended.push(() => place.remove());
  const started = await Promise.all(CASES.map((one) => one.start()));
  ended.push(() => Promise.all(started.map((one) => one.stop())));
  writeFileSync(join(place.folder, 'token'), token);
  writeFileSync(
    join(place.folder, 'collect.yaml'),
    [
      `gateway: ${app.addresses.gateway}`,
      'report-every: 5s',
      'devices:',
      ...started.flatMap(({ lines }) =>
        ['poll-every: 1s', ...lines].map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`),
      ),
    ].join('\n'),
  );
  ended.push(place.start('run'));
  notes = place.notes;
}, 60_000);
afterAll(async () => {
  for (const end of ended.toReversed()) await end();
});

const rows = CASES.flatMap(({ name, expected }) =>
  Object.entries(expected).map(([sn, [operation, values]]) => ({ name, sn, operation, values })),
);
// At once, since each waits for reports.
test.concurrent.for(rows)(
  '$name: $operation of $sn has the values, signs and units',
  async ({ sn, operation, values }, { expect: here }) => {
    await here
      .poll(
        async () => (await operator.call('discovery/list', { limit: 100 })).map((one) => one.sn),
        { timeout: 30_000, message: notes.join('; ') },
      )
      .toContain(sn);
    await operator.call('discovery/bind', { sn });
    await here
      .poll(() => client.call(operation, { sn }) as Promise<unknown>, { timeout: 30_000 })
      .toMatchObject(values);
  },
);
