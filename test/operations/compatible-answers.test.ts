import { hasDoor, operations, type OperationId } from '@helioport/contract';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInterfaces, type Ask, type Interfaces } from '../access/requesters.ts';
import {
  lockAlarm,
  noteOnAlarm,
  processAlarm,
} from '../../packages/server/src/outbound/alarms/processing.ts';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { plantOperations } from './plant-operations.ts';
import { rows, type Place } from './rows.ts';
import { createRichScene, questions, SCENE_NOW, UNKNOWN, type QueryId } from './scene.ts';

const GOLDEN = join(import.meta.dirname, 'compatible-answers.json');
/** A folder for the whole answers, to compare those of two versions. */
const TO = process.env['HELIOPORT_RECORD_ANSWERS'];

type Answers = Record<string, string[]>;

/** Ids are named in the order in which they appear, since they are random. */
function comparable(texts: readonly string[]): string[] {
  const names = new Map<string, string>();
  return texts.map((text) =>
    text
      .replaceAll(/"sno":"\d{8}"/g, '"sno":""')
      .replaceAll(
        /\d{19}/g,
        (id) => names.get(id) ?? (names.set(id, `#${names.size}`), `#${names.size - 1}`),
      ),
  );
}

const digest = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);

describeEngines('what existing clients are answered', (database, engine) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  let interfaces: Interfaces;
  beforeAll(async () => {
    interfaces = await startInterfaces(database, clock, fleet);
  });
  afterAll(() => interfaces.close());

  /** A plant with everything: devices of every kind that have reported all day, prices, an alarm that somebody has taken on; and one with nothing. */
  async function furnished(): Promise<Place> {
    const scene = await createRichScene(fleet);
    const fromAt = Date.parse('2026-01-01T00:00:00Z');
    const owner = userCaller(scene.owner);
    await fleet.write((trx) =>
      setTariff(trx, fleet.act(), scene.plantId, 'import', {
        fromAt,
        pricePerKwh: 0.3,
        windows: [],
      }),
    );
    await fleet.write((trx) =>
      setTariff(trx, fleet.act(), scene.plantId, 'export', {
        fromAt,
        pricePerKwh: 0.1,
        windows: [],
      }),
    );
    await fleet.runWork();
    for (const { sn } of Object.values(scene.devices))
      for (const at of ['2026-05-30', '2026-05-31'])
        await fleet.report(sn, [
          [`${at}T10:00:00Z`, { acPowerW: 900, energyTotalKwh: 40, signalDbm: -70 }],
          [`${at}T11:00:00Z`, { acPowerW: 2100, energyTotalKwh: 42, signalDbm: -71 }],
        ]);
    const alarms = (await fleet.ask('alarmList', owner, {})) as {
      readonly records: readonly { readonly id: string }[];
    };
    const [alarm] = alarms.records;
    await fleet.write(async (trx) =>
      processAlarm(trx, fleet.act(), await lockAlarm(trx, owner, alarm!.id)),
    );
    await fleet.write(async (trx) =>
      noteOnAlarm(trx, fleet.act(), await lockAlarm(trx, owner, alarm!.id), 'On it.'),
    );
    await fleet.plant(scene.owner, { name: 'Empty', nmiCode: '4103000001' });
    return {
      ...scene,
      free: (await fleet.device(null)).sn,
      freeCollector: (await fleet.device(null, { kind: 'collector' })).sn,
    };
  }

  test('is, byte for byte, what they have always been answered', async () => {
    const answers: Answers = {};
    const record = async (way: string, ask: Ask, id: OperationId, body: object): Promise<void> => {
      const { status, headers, text } = await ask(id, body as never);
      (answers[`${way} ${id}`] ??= []).push(`${status} ${String(headers['content-type'])} ${text}`);
    };
    const place = await furnished();
    const ways = [
      ['signed', await interfaces.askAs({ key: {}, of: place.owner })],
      ['oauth', await interfaces.askAs({ token: {}, of: place.owner })],
    ] as const;
    for (const [way, ask] of ways) {
      for (const [id, bodies] of Object.entries(questions) as [
        QueryId,
        (typeof questions)[QueryId],
      ][]) {
        if (!hasDoor(operations[id], way)) continue;
        for (const body of bodies) {
          await record(way, ask, id, body(place));
          await record(way, ask, id, body(UNKNOWN));
        }
      }
      for (const { id, write, example } of Object.values(operations))
        if (!write && !(id in questions) && hasDoor(operations[id], way))
          await record(way, ask, id, example.request);
    }
    for (const { id, write } of plantOperations) {
      if (!write) continue;
      const changed = await furnished();
      const ask = await interfaces.askAs({ key: {}, of: changed.owner });
      await record('signed', ask, id, rows[id].alike[0](changed));
    }
    const compared = Object.fromEntries(
      Object.entries(answers).map(([key, texts]) => [key, comparable(texts)]),
    );
    if (TO !== undefined) {
      mkdirSync(TO, { recursive: true });
      writeFileSync(join(TO, `${engine}.json`), `${JSON.stringify(compared, null, 1)}\n`);
      writeFileSync(
        GOLDEN,
        `${JSON.stringify(Object.fromEntries(Object.entries(compared).map(([key, texts]) => [key, digest(texts)])), null, 2)}\n`,
      );
    }
    const known = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Record<string, string>;
    expect(
      Object.fromEntries(Object.entries(compared).map(([key, texts]) => [key, digest(texts)])),
    ).toEqual(known);
  });
});
