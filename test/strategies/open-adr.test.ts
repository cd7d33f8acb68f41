import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { describeStrategies } from './scene.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/strategies.md'), 'utf8');
const HOUR_MS = 3_600_000;

function blockOf(name: string): string {
  const [, text] = new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/strategies.md has no block ${name}`);
  return text;
}

interface Bridge {
  toStrategy(event: object): Record<string, unknown>;
  toReport(event: object, delivery: object): object;
}

const bridge = (await import(
  `data:text/javascript,${encodeURIComponent(blockOf('js bridge'))}`
)) as Bridge;
const event = JSON.parse(blockOf('json event')) as { intervals: [{ payloads: object[] }] };

test('an OpenADR 3 event is one call, as docs/strategies.md says', () => {
  expect(bridge.toStrategy(event)).toEqual(JSON.parse(blockOf('json call')));
  const setPoint = {
    ...event,
    intervals: [{ id: 0, payloads: [{ type: 'DISPATCH_SETPOINT', values: [-3] }] }],
  };
  expect(bridge.toStrategy(setPoint)).toMatchObject({ powerKw: 3 });
});

describeStrategies('a bridge from OpenADR 3', (scene) => {
  const { clock, database, settle } = scene;

  test('has an event carried out, and reports what came of it', async () => {
    clock.at = Date.parse('2026-11-06T16:30:00Z');
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    await database()
      .db.updateTable('device')
      .set({ sn: 'HS260100001' })
      .where('id', '=', here.deviceId)
      .execute();
    const { body: created } = await partner.ask('strategy/create', bridge.toStrategy(event));
    expect(created).toMatchObject({
      code: '0',
      data: { state: 'draft', program: '44', priority: 1 },
    });
    const { id } = created.data as { id: string };
    expect((await partner.ask('strategy/dispatch', { id })).body.code).toBe('0');
    const start = Date.parse('2026-11-06T17:00:00Z');
    clock.at = start;
    await settle(here);
    expect(here.memory.get('230')).toBe('1500');
    const readings = Array.from({ length: 19 }, (_, i) => start - HOUR_MS / 2 + i * 300_000).map(
      (at) => {
        // Just before, the plant exported 2.5 kW.
        const gridPowerW = at < start ? 2500 : 1500;
        return {
          sn: 'HS260100001',
          at: at === start ? at + 1000 : at,
          values: { gridPowerW, batterySocPercent: 64 },
        };
      },
    );
    const { db } = database();
    const edges = [start - 1, start].map((at) => ({
      sn: 'HS260100001',
      at,
      values: { gridPowerW: at < start ? 2500 : 1500 },
    }));
    clock.at = start + HOUR_MS;
    expect(
      await createIngest({ db, clock, series: createSqlSeries(db) })('operator', [
        ...readings,
        ...edges,
      ]),
    ).toMatchObject({ refused: [] });
    await settle(here);
    expect(here.memory.get('230')).toBe('8000');
    const { body } = await partner.ask('strategy/delivery', {
      id,
      baseline: 'meterBeforeAfter',
      intervalMinutes: 60,
    });
    expect(bridge.toReport(event, body.data)).toEqual(JSON.parse(blockOf('json report')));
  });
});
