import { expect, test } from 'vitest';
import { describeStrategies } from './scene.ts';

const QUARTER_MS = 15 * 60_000;

/** Zones, and instants at which their clocks change. */
const changes = [
  ['Europe/Berlin', '2026-10-25T01:00:00Z', '02:15', '02:45'],
  ['Europe/Berlin', '2027-03-28T01:00:00Z', '01:30', '03:15'],
  ['America/New_York', '2026-11-01T06:00:00Z', '01:15', '01:45'],
  ['America/New_York', '2027-03-14T07:00:00Z', '02:15', '02:45'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '01:45', '02:45'],
  ['Australia/Lord_Howe', '2027-04-03T15:00:00Z', '01:30', '02:00'],
] as const;

describeStrategies('a day plan while clocks change', (scene) => {
  const { clock, database } = scene;

  test.each(changes)(
    'in %s at %s applies from %s to %s, whenever the wall clock shows that (C36)',
    async (timeZone, changesAt, start, end) => {
      clock.at = Date.parse(changesAt) - 8 * QUARTER_MS;
      const here = await scene.battery();
      await database()
        .db.updateTable('plantZone')
        .set({ timeZone })
        .where('plantId', '=', here.plantId)
        .execute();
      await database()
        .db.updateTable('plant')
        .set({ timeZone })
        .where('id', '=', here.plantId)
        .execute();
      const partner = await scene.partner(here.ownerId);
      const intervals = [{ start, end, payload: { type: 'exportLimit', powerKw: 1 } }];
      await partner.dispatch({ sn: here.sn, intervals, end: clock.at + 24 * 4 * QUARTER_MS });
      const wall = new Intl.DateTimeFormat('en-GB', {
        timeZone,
        hour: '2-digit',
        minute: '2-digit',
      });
      const seen: boolean[] = [];
      for (let i = 0; i < 16; i++) {
        await scene.settle(here);
        const shown = wall.format(clock.at);
        const applies = shown >= start && shown < end;
        expect([shown, here.registers()['230']]).toEqual([shown, applies ? '1000' : '8000']);
        seen.push(applies);
        clock.at += QUARTER_MS;
      }
      // An hour that is skipped is left out.
      expect(seen.includes(true)).toBe(!(changesAt === '2027-03-14T07:00:00Z'));
    },
  );
});
