import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ELEMENT_BYTES,
  TOO_LONG,
  UnreadableSection,
} from '../../packages/server/src/fleet/collectors/report-sections.ts';
import {
  readReport,
  type RawReport,
} from '../../packages/server/src/fleet/collectors/read-report.ts';

/** Cuts bytes into pieces of these sizes, again and again. */
async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let [from, i] = [0, 0]; from < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

async function read(
  body: string | Buffer,
  sizes: readonly number[] = [Infinity],
  format: RawReport['format'] = 'json',
) {
  const parts: Record<string, unknown[]> = {};
  let turns = 0;
  const chunks = pieces(Buffer.from(body as string), sizes);
  await readReport(
    { format, chunks },
    async () => void turns++,
    (part, elements) => void (parts[part] ??= []).push(...elements),
  );
  return { parts, turns };
}

const lists = (document: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(document).filter(
      ([name, list]) =>
        ['readings', 'alarms', 'devices'].includes(name) && (list as unknown[]).length > 0,
    ),
  );
const anyList = fc.array(fc.jsonValue({ depthSize: 'small' }), { maxLength: 6 });
const anyReport = fc.record(
  {
    readings: anyList,
    alarms: anyList,
    devices: anyList,
    version: fc.jsonValue(),
    're"a\\d': fc.jsonValue(),
  },
  { requiredKeys: ['readings'] },
);
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const spaced = (value: unknown, space: number): string => JSON.stringify(value, undefined, space);

describe('a report is read piece by piece', () => {
  test('as JSON.parse would read it, wherever the pieces end', () =>
    fc.assert(
      fc.asyncProperty(anyReport, sizes, fc.nat(3), async (report, cuts, space) => {
        expect((await read(spaced(report, space), cuts)).parts).toEqual(
          lists(JSON.parse(JSON.stringify(report)) as never),
        );
      }),
    ));

  test('and refused as a whole where JSON.parse refuses it, wherever it was damaged', () =>
    fc.assert(
      fc.asyncProperty(
        anyReport,
        sizes,
        fc.nat(),
        fc.constantFrom(...'{}[],:"\\x1'),
        fc.boolean(),
        async (report, cuts, place, character, replaces) => {
          const text = JSON.stringify(report);
          const at = place % text.length;
          const damaged = text.slice(0, at) + character + text.slice(at + (replaces ? 1 : 0));
          let expected: Record<string, unknown> | undefined;
          try {
            expected = JSON.parse(damaged) as Record<string, unknown>;
          } catch {}
          const outcome = await read(damaged, cuts).catch((error: { code: string }) => error.code);
          if (expected === undefined) expect(outcome).toBe('malformedRequest');
          // Names that came twice, or are no longer known, have their own refusals.
          else if (outcome !== 'malformedRequest')
            expect((outcome as Awaited<ReturnType<typeof read>>).parts).toEqual(lists(expected));
        },
      ),
      { numRuns: 300 },
    ));

  test('line by line, wherever the pieces end', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), sizes, async (readings, cuts) => {
        const { parts } = await read(
          `\ufeff${readings.map((reading) => `${JSON.stringify(reading)}\r\n\n`).join('')}`,
          cuts,
          'lines',
        );
        expect(parts['readings'] ?? []).toEqual(JSON.parse(JSON.stringify(readings)));
      }),
    ));

  test.each([1, 7, 4096, Infinity])(
    'an element that is too long is not read, and the others keep their places, in pieces of %d',
    async (size) => {
      const long = JSON.stringify(`[{"${'x'.repeat(ELEMENT_BYTES)}`);
      const whole = `{"v":${long},"readings":[1,${long},2, ${long} ],"alarms":[${'['.repeat(ELEMENT_BYTES)}${']'.repeat(ELEMENT_BYTES)}]}`;
      expect((await read(whole, [size])).parts).toEqual({
        readings: [1, TOO_LONG, 2, TOO_LONG],
        alarms: [TOO_LONG],
      });
      expect((await read(`1\n${long}\n2\nno JSON\n${long}`, [size], 'lines')).parts).toEqual({
        readings: [1, TOO_LONG, 2, expect.any(UnreadableSection), TOO_LONG],
      });
    },
  );

  test('of too many elements none beyond the limit is built', async () => {
    for (const [body, format] of [
      [`{"readings":[${'{},'.repeat(500_000)}{}]}`, 'json'],
      ['{}\n'.repeat(500_000), 'lines'],
    ] as const) {
      let built = 0;
      const reading = readReport(
        { format, chunks: pieces(Buffer.from(body), [65_536]) },
        async () => {},
        (_, elements) => void (built += elements.length),
      );
      await expect(reading).rejects.toMatchObject({
        code: 'tooLarge',
        message: 'a report may have at most 10000 readings',
      });
      expect(built).toBeLessThanOrEqual(10_000);
    }
  });

  test('in turns once it is large, and at once when it is small', async () => {
    const reading = JSON.stringify({ sn: 'INV-1', at: 1_700_000_000_000, values: { acPowerW: 1 } });
    expect((await read(`{"readings":[${reading}]}`)).turns).toBe(0);
    expect(
      (await read(`{"readings":[${Array(10_000).fill(reading).join(',')}]}`)).turns,
    ).toBeGreaterThan(10);
  });

  test.each(['json', 'lines'] as const)(
    'letters that are not UTF-8 are refused: %s',
    async (format) => {
      const reading = '{"sn":"INV-\u00e9","at":1700000000000,"values":{"acPowerW":1}}';
      const text = format === 'json' ? `{"readings":[${reading}]}` : `${reading}\n`;
      for (const size of [1, 7, Infinity]) {
        expect((await read(text, [size], format)).parts).toMatchObject({
          readings: [{ sn: 'INV-é' }],
        });
        await expect(read(Buffer.from(text, 'latin1'), [size], format)).rejects.toMatchObject({
          code: 'malformedRequest',
          message: 'the body is not UTF-8',
        });
      }
    },
  );

  test('a name that is too long is refused', async () => {
    for (const size of [1000, Infinity])
      await expect(read(`{"${'x'.repeat(ELEMENT_BYTES + 1)}":1}`, [size])).rejects.toMatchObject({
        code: 'malformedRequest',
      });
  });

  test.each([
    ['{"readings":[],"readings":[]}', 'occurs twice'],
    ['{"readings":7}', 'readings must be a list'],
    ['{"other":1}', 'must be {"readings"'],
    ['{"readings":[1,]}', 'not readable'],
    ['{"readings":[,1]}', 'not readable'],
    ['{"readings":[1}', 'not readable'],
    ['{"readings":[1]]', 'not readable'],
    ['{"readings":[1],}', 'not readable'],
    ['{"other":1]', 'not readable'],
    ['{"readings":[1]} 1', 'not readable'],
  ])('%s is refused', async (body, message) => {
    for (const size of [1, Infinity])
      await expect(read(body, [size])).rejects.toMatchObject({
        code: 'malformedRequest',
        message: expect.stringContaining(message),
      });
  });
});
