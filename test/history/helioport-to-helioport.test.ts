import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  calendarOfZone,
  yearOf,
} from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import type { Outcome } from '../support/command.ts';
import { createSqliteDatabase, describeEngines, type TestDatabase } from '../support/engines.ts';
import {
  energiesOf,
  importTo,
  ingestOn,
  OWNER,
  readingsOfHouse,
  startHouse,
  totalsOf,
  ZONE,
  type House,
} from './account-there.ts';

// Beyond a turn of the year, and both changes of the clocks.
const DAYS = 400;

type Told = Awaited<ReturnType<typeof energiesOf>>;

const ofDevices = ({ plant: _, ...devices }: Told): Partial<Told> => devices;

/** All figures in an answer, by where they stand in it. */
function figuresOf(answer: unknown, place = ''): Map<string, number> {
  if (typeof answer === 'number') return new Map([[place, answer]]);
  return new Map(
    Object.entries(answer ?? {}).flatMap(([name, part]) => [
      ...figuresOf(part, `${place}/${name}`),
    ]),
  );
}

/** How far figures are apart at most; infinitely if one has some that the other lacks. A plant’s are sums of rounded ones. */
const furthest = (some: Map<string, number>, others: Map<string, number>): number =>
  some.size === others.size
    ? Math.max(...[...some].map(([place, one]) => Math.abs(one - (others.get(place) ?? Infinity))))
    : Infinity;

describeEngines('the history of an account at another Helioport', (database) => {
  let thereDatabase: TestDatabase;
  let [there, here]: [House, House] = [] as never;
  const now = systemClock.now();
  const today = calendarOfZone(ZONE).dayOf(now);
  const times = { today, years: [yearOf(today) - 1, yearOf(today)] };

  beforeAll(async () => {
    thereDatabase = await createSqliteDatabase();
    there = await startHouse(thereDatabase);
    await ingestOn(thereDatabase)('operator', readingsOfHouse(DAYS, now));
    here = await startHouse(database());
  }, 240_000);
  afterAll(async () => {
    await there.stop();
    await here.stop();
    await thereDatabase.drop();
  });

  const load = (...options: string[]): Promise<Outcome> => importTo(database(), there, ...options);

  /** What the trail of the owner here says of imports. */
  const imports = async () => {
    const { db } = database();
    const { id, ownerId } = await db
      .selectFrom('plant')
      .select(['id', 'ownerId'])
      .executeTakeFirstOrThrow();
    const trail = await listAudit(db, ownerId, { limit: 100 });
    return trail
      .filter(({ kind }) => kind === 'history.imported')
      .map(({ actor, data }) => ({ actor, ...data, isOfPlant: data['plantId'] === id }));
  };

  test('a dry run shows which device is which, and stores nothing', async () => {
    const outcome = await load('--dry-run', '--json');
    expect([outcome.exitCode, outcome.stderr]).toEqual([0, '']);
    expect(outcome.json()).toMatchObject({
      devices: [
        {
          sn: 'INV-HYBRID',
          kind: 'inverter',
          plantThere: 'House',
          plantHere: 'House',
          owner: OWNER,
        },
        { sn: 'INV-STRING', importedDays: 0, ownDays: 0 },
        { sn: 'EPM-1', kind: 'epm' },
      ],
      onlyThere: [],
      onlyHere: [],
    });
    expect((await here.client.call('inverterAll', { sn: 'INV-HYBRID' })).length).toBe(0);
    expect(await imports()).toEqual([]);
    const forPeople = await load('--dry-run');
    expect(forPeople.stdout).toMatch(/owner here/);
    expect(forPeople.stdout).toContain(OWNER);
  });

  test('every day, month, year and total is the same', { timeout: 300_000 }, async () => {
    const outcome = await load('--without-curves', '--json');
    expect(outcome.exitCode).toBe(0);
    expect(outcome.json()).toMatchObject({ doubts: [], imported: { devices: 3, refused: [] } });
    // The owner can see that somebody else says what was.
    expect(await imports()).toEqual([
      {
        actor: 'operator',
        plantId: expect.any(String),
        isOfPlant: true,
        from: expect.stringContaining('http://127.0.0.1:'),
        devices: 3,
      },
    ]);
    const [own, old] = [await energiesOf(here, times), await energiesOf(there, times)];
    expect(ofDevices(own)).toEqual(ofDevices(old));
    expect(figuresOf(old.plant).size).toBeGreaterThan(5 * 300);
    expect(furthest(figuresOf(own.plant), figuresOf(old.plant))).toBeLessThan(0.0011);
    for (const sn of ['INV-HYBRID', 'INV-STRING']) {
      const [[total], [all, soFar]] = [await totalsOf(here, sn), await totalsOf(there, sn)];
      // Totals above 1 MWh are answered in steps of 1 kWh.
      expect(Math.abs(total - (all - soFar))).toBeLessThanOrEqual(0.5);
    }
  });
});
