import { expect, test } from 'vitest';
import { marksOf } from '../../../packages/portal/src/screens/overview/map/groups.ts';
import { fitting, zoomed } from '../../../packages/portal/src/parts/map/view.ts';

const SIZE = { width: 360, height: 420 };

/** Plants over central Europe, as a lattice that is a little off: the same in each run. */
const PLANTS = Array.from({ length: 2000 }, (_, i) => ({
  id: String(i),
  name: `Plant ${i}`,
  state: i % 500 === 0 ? ('alarm' as const) : ('online' as const),
  latitude: 46 + ((i * 7919) % 1000) / 110,
  longitude: 6 + ((i * 104_729) % 1000) / 90,
}));

test.each([1, 4, 16, 64])(
  'no two marks of 2,000 plants are nearer than a finger is wide, and none is left out: zoomed %d times',
  (factor) => {
    const view = zoomed(fitting(PLANTS, SIZE), factor, [180, 210], SIZE);
    const marks = marksOf(PLANTS, view, false);
    expect(marks.reduce((sum, { plants }) => sum + plants, 0)).toBe(2000);
    const tooNear = marks.filter(({ at: [x, y] }, i) =>
      marks.some(({ at }, j) => j > i && Math.hypot(at[0] - x, at[1] - y) < 44),
    );
    expect(tooNear).toEqual([]);
    // A group is as its gravest plant.
    expect(marks.some(({ state }) => state === 'alarm')).toBe(true);
  },
);

test('plants at one place share a mark, and stand below one another where no view is nearer', () => {
  const [one, two] = ['1', '2'].map((id) => ({ ...PLANTS[0]!, id }));
  const view = fitting([one!, two!], SIZE);
  expect(marksOf([one!, two!], view, false)).toMatchObject([{ plants: 2 }]);
  const apart = marksOf([one!, two!], view, true);
  expect(apart.map(({ plant }) => plant?.id)).toEqual(['1', '2']);
  expect(apart[1]!.at[1] - apart[0]!.at[1]).toBe(44);
});
