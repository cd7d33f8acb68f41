import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openUnreported } from '../../packages/collector/src/site/device/unreported.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-unreported-'));
  path = join(folder, 'unreported.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what a process had measured and not reported is one reading of each device for the next', () => {
  const first = openUnreported(path);
  expect(first.left).toEqual([]);
  first.clear();
  first.keep('A', { acPowerW: 100, energyTotalKwh: 7 }, 1_000);
  first.keep('B', { acPowerW: 5 }, 1_500);
  first.keep('A', { acPowerW: 300, energyTotalKwh: 8 }, 11_000);
  // It is killed here.
  const next = openUnreported(path);
  expect(next.left).toEqual([
    { sn: 'A', at: 11_000, values: { acPowerW: 200, energyTotalKwh: 8 } },
    { sn: 'B', at: 1_500, values: { acPowerW: 5 } },
  ]);
  next.clear();
  next.keep('B', { acPowerW: 6 }, 21_000);
  next.clear();
  expect(openUnreported(path).left).toEqual([]);
});

test('a torn line and one of something else are left out', () => {
  const first = openUnreported(path);
  first.clear();
  first.keep('A', { acPowerW: 100 }, 1_000);
  appendFileSync(path, '["A",2000,{"acPow');
  expect(openUnreported(path).left).toEqual([{ sn: 'A', at: 1_000, values: { acPowerW: 100 } }]);
  appendFileSync(path, '\n{"a":1}\n[1,2,3]\nnull\n["A",3000,{"acPowerW":200}]\n');
  expect(openUnreported(path).left).toEqual([{ sn: 'A', at: 3_000, values: { acPowerW: 150 } }]);
});

test('it never takes more than 4 MiB', () => {
  const unreported = openUnreported(path);
  unreported.clear();
  const values = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`dcPower${i}W`, 12_345]),
  );
  for (let i = 0; i < 600; i++) unreported.keep('A', values, i);
  expect(statSync(path).size).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBeGreaterThan(300);
  unreported.clear();
  expect(statSync(path).size).toBe(0);
});
