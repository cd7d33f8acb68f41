import { inflateSync } from 'node:zlib';
import type { PlantReport } from '@helioport/contract';
import { expect, test } from 'vitest';
import { sunPosition } from '../../packages/server/src/fleet/devices/sun.ts';
import { clearSkyWm2 } from '../../packages/server/src/measurements/energy/clear-sky.ts';
import {
  acPower,
  dcPower,
  moduleTemperature,
} from '../../packages/server/src/measurements/expected/array-power.ts';
import { printReport } from '../../packages/server/src/outbound/reports/pdf.ts';
import { createFleet, type Measurements } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { png } from './pictures.ts';
import { settableClock, userCaller } from '../support/world.ts';

const BERLIN = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };
const SOUTH = { tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 10 };
const [STEP_MS, DAY] = [900_000, 86_400_000];
const FIRST = Date.parse('2026-06-01T00:00:00+02:00');

const lightAt = (at: number): number => 0.8 * clearSkyWm2(sunPosition(BERLIN, at).elevation);
const couldW = (at: number): number =>
  acPower(dcPower(10_000, lightAt(at), moduleTemperature(lightAt(at), 20, 1)), 10_000).powerW;

const june = (measure: (at: number) => Measurements, days = 30) =>
  Array.from({ length: days * 96 }, (_, i) => FIRST + i * STEP_MS).map(
    (at) => [at, measure(at)] as const,
  );

describeEngines('the report of a month', (database) => {
  const clock = settableClock('2026-07-02T12:00:00Z');
  const fleet = createFleet(database, clock);

  const furnish = async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, {
      name: 'Meadow Lane 4',
      capacityKwp: 20,
      pricePerKwh: 0.1,
      ...BERLIN,
    });
    const [sound, dead] = [
      await fleet.device(plantId, { ratedPowerW: 10_000 }),
      await fleet.device(plantId, { ratedPowerW: 10_000 }),
    ];
    const caller = userCaller(owner.id);
    const arrays = [sound, dead].map(({ sn }) => ({ ...SOUTH, sn }));
    await fleet.ask('plant/setArrays', caller, { plantId, arrays });
    const station = await fleet.device(plantId, { kind: 'weather' });
    await fleet.report(
      station.sn,
      june((at) => ({
        irradianceWm2: lightAt(at),
        globalIrradianceWm2: lightAt(at),
        ambientTemperatureC: 20,
        windSpeedMs: 1,
      })),
    );
    await fleet.report(
      sound.sn,
      june((at) => ({ acPowerW: couldW(at) })),
    );
    await fleet.report(
      dead.sn,
      june((at) => ({ acPowerW: at < FIRST + 20 * DAY ? couldW(at) : 0 })),
    );
    return { owner, caller, plantId, dead };
  };

  const numberIn = (text: string): number => Number(text.replaceAll(/[^\d.]/g, ''));

  test('says what the operations say, and draws every day', async () => {
    const { caller, plantId, dead } = await furnish();
    const report: PlantReport = await fleet.wire('plant/report', caller, {
      plantId,
      language: 'en',
    });
    const [energy] = await fleet
      .ask('performance/energy', caller, {
        plantId,
        each: 'month',
        year: '2026',
      })
      .then((rows) => rows.filter(({ day }) => day === 20_260_601));
    const [lost] = await fleet
      .ask('performance/losses', caller, {
        plantId,
        each: 'month',
        year: '2026',
      })
      .then((rows) => rows.filter(({ day }) => day === 20_260_601));
    const visits = await fleet.ask('performance/visits', caller, {});
    const figure = (name: string): number =>
      numberIn(report.figures.find((one) => one.name === name)!.value);

    expect(report).toMatchObject({ title: 'June 2026', month: '2026-06', later: '2026-07' });
    expect(figure('Produced')).toBe(Math.round(energy!.producedKwh!));
    expect(figure('Expected')).toBe(Math.round(energy!.expectedKwh!));
    expect(figure('Share of expected')).toBe(Math.round(energy!.sharePercent!));
    expect(figure('Lost')).toBe(Math.round(lost!.lostKwh!));
    expect(figure('Value of known losses')).toBeCloseTo(lost!.lostAmount!, 2);
    expect(figure('Availability of inverters')).toBe(lost!.timeAvailabilityPercent);
    // One of two inverters stood still on ten of thirty days, which are of the year’s longest.
    expect(lost!.timeAvailabilityPercent).toBeGreaterThan(80);
    expect(lost!.timeAvailabilityPercent).toBeLessThan(86);
    expect(report.paragraphs[0]).toContain('less than it should have been');
    const [losses, alarms, visit] = report.tables;
    expect(losses!.rows[0]!.slice(0, 3)).toEqual(['Inverter down', dead.sn, 'certain']);
    expect(numberIn(losses!.rows[0]![3]!)).toBe(Math.round(lost!.losses[0]!.kwh));
    expect(alarms!.title).toBe('Open alarms');
    expect(visits).toHaveLength(1);
    expect(visit!.rows).toHaveLength(1);
    expect(numberIn(visit!.rows[0]![3]!)).toBe(visits[0]!.kwhPerYear);
    expect(report.bars.days).toHaveLength(30);
    expect(report.bars.days.every(({ expectedKwh }) => expectedKwh! > 50)).toBe(true);
    expect(report.bars.days[25]!.producedKwh! / report.bars.days[25]!.expectedKwh!).toBeCloseTo(
      0.5,
      1,
    );
    const pdf = await printReport(report, { language: 'en', isTranslated: true });
    expect(pagesOf(pdf)).toBeLessThanOrEqual(2);
  });

  test('is in the reader’s language; a month that has not begun is refused, and a stranger’s plant is one that does not exist', async () => {
    const { owner, caller, plantId } = await furnish();
    const stranger = await fleet.person();
    for (const [language, title] of [
      ['de', 'Juni 2026'],
      ['es', 'junio de 2026'],
      ['zh', '2026年6月'],
    ] as const)
      expect(await fleet.wire('plant/report', caller, { plantId, language })).toMatchObject({
        title,
      });
    await expect(
      fleet.wire('plant/report', caller, { plantId, month: '2026-08' }),
    ).rejects.toMatchObject({ code: 'invalidValue', data: { field: 'month' } });
    const before = await fleet.wire('plant/report', caller, { plantId });
    const foreign = await fleet
      .wire('plant/report', userCaller(stranger.id), { plantId })
      .catch((error: unknown) => error);
    const unknown = await fleet
      .wire('plant/report', userCaller(stranger.id), { plantId: '1' })
      .catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'noPermission' });
    expect({ ...(foreign as object) }).toEqual({ ...(unknown as object) });
    // What a stranger owns near by changes nothing.
    const nearby = await fleet.plant(stranger.id, { ...BERLIN, capacityKwp: 10 });
    const station = await fleet.device(nearby, { kind: 'weather' });
    await fleet.report(
      station.sn,
      june(() => ({ globalIrradianceWm2: 100 }), 3),
    );
    expect(await fleet.wire('plant/report', caller, { plantId })).toEqual(before);
    expect(owner.id).not.toBe(stranger.id);
  });
});

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').split('/Type /Page\n').length - 1;

/** Everything that a PDF can show as text, by the maps from its glyphs to characters. */
function charactersOf(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, data]) => {
    try {
      return [inflateSync(Buffer.from(data!, 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  const maps = streams.filter((stream) => stream.includes('beginbfrange'));
  return maps
    .flatMap((map) => [...map.matchAll(/<([0-9a-f]{4})>/gi)])
    .map(([, code]) => String.fromCodePoint(Number.parseInt(code!, 16)))
    .join('');
}

const bare = (plantName: string): PlantReport => ({
  plantName,
  title: 'June 2026',
  company: null,
  logo: null,
  paragraphs: [],
  figures: [],
  bars: { title: '', produced: '', expected: '', days: [] },
  tables: [],
  notes: [],
  month: '2026-06',
  earlier: null,
  later: null,
});

test('a PDF holds Latin, Greek and Cyrillic; a question mark stands for what it cannot print, and it says so', async () => {
  const told = { language: 'en', isTranslated: true } as const;
  const whole = charactersOf(await printReport(bare('Żółć ångström Αθήνα Солнце'), told));
  for (const character of 'ŻółćåöΑθήναСолнце') expect(whole).toContain(character);
  expect(whole).not.toContain('?');
  const lacking = charactersOf(await printReport(bare('茶屋'), told));
  expect(lacking).toContain('?');
  expect(lacking).not.toContain('茶');
  // Of the sentence that says so; nothing else has a q.
  expect(lacking).toContain('q');
  expect(whole).not.toContain('q');
});

test('a PDF with all that finds a place has two pages, and draws the logo', async () => {
  const long = (count: number, ...cells: string[]) => Array.from({ length: count }, () => cells);
  const report = {
    ...bare('Meadow Lane 4'),
    company: 'Sun & Sons',
    logo: `data:image/png;base64,${png({ width: 30, height: 9 }).toString('base64')}`,
    paragraphs: ['The plant produced 1,234 kWh, 94% of what the sun allowed: normal.', 'Less.'],
    figures: long(10).map((_, i) => ({ name: `Figure of the report ${i}`, value: '1,234 kWh' })),
    bars: {
      title: 'Days',
      produced: 'Produced',
      expected: 'Expected',
      days: Array.from({ length: 31 }, (_, i) => ({
        day: `2026-07-${String(i + 1).padStart(2, '0')}`,
        producedKwh: i,
        expectedKwh: i % 2 ? null : 20,
      })),
    },
    tables: [
      {
        title: 'Losses',
        columns: ['Cause', 'Device', 'Energy'],
        figures: 1,
        rows: long(12, 'Inverter down', 'INV-1234567890-1234', '12 kWh'),
        none: '',
      },
      {
        title: 'Alarms',
        columns: ['Alarm', 'Device'],
        figures: 0,
        rows: long(8, 'Device not reporting '.repeat(4), 'since June 12, 2026 '.repeat(5)),
        none: '',
      },
      { title: 'Visits', columns: ['Cause'], figures: 0, rows: [], none: 'Nothing.' },
    ],
    notes: ['What the figures rest on. '.repeat(8), 'More. '.repeat(30)],
  };
  const pdf = await printReport(report, { language: 'en', isTranslated: false });
  expect(pagesOf(pdf)).toBe(2);
  expect(pdf.toString('latin1')).toContain('/Subtype /Image');
  expect(pdf.length).toBeLessThan(100_000);
});
