import { DAY_MS } from '@helioport/contract/durations';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, makeKey, type Installation } from '../../support/command.ts';
import { putFaults } from './faults.ts';

describe('helioport doctor', () => {
  let home: Installation;
  let laterMs: number;
  beforeEach(async () => {
    laterMs = 0;
    home = createInstallation({}, { now: () => Date.now() + laterMs });
    await makeKey(home);
  });
  afterEach(() => home.remove());

  interface Finding {
    readonly check: string;
    readonly state: string;
    readonly text: string;
  }
  const examine = async (): Promise<{ exitCode: number; findings: Finding[] }> => {
    const { exitCode, json } = await home.helioport('doctor', '--json');
    return { exitCode, findings: json() as Finding[] };
  };

  test('finds nothing in an installation without faults', async () => {
    const { exitCode, findings } = await examine();
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(exitCode).toBe(0);
  });

  test('is put to the test with at least 25 faults, of every check that can find one', async () => {
    expect(putFaults.length).toBeGreaterThanOrEqual(25);
    const { findings } = await examine();
    const tested = new Set(putFaults.map(({ check }) => check));
    // A full disk, a recalculation, how long things are kept, events that PostgreSQL holds back, and an install without a portal are tested where they can be made.
    const elsewhere = ['data folder', 'growth', 'retention', 'recalculation', 'events', 'portal'];
    expect(findings.map(({ check }) => check).filter((name) => !tested.has(name))).toEqual(
      elsewhere,
    );
  });

  test.each(putFaults)(
    'finds that $fault, and says what is to be done',
    async ({ put, check, state, says, later = 0 }) => {
      await put(home);
      laterMs = later * DAY_MS;
      const { exitCode, findings } = await examine();
      const found = findings.find((one) => one.check === check)!;
      expect([found.state, found.text]).toEqual([state, expect.stringMatching(says[0])]);
      expect(found.text).toMatch(says[1]);
      expect(exitCode).toBe(findings.some((one) => one.state === 'fault') ? 1 : 0);
    },
  );
});
