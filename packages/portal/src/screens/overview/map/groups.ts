import type { WireData } from '@helioport/contract';
import { project } from '../../../parts/map/projection.ts';
import type { View } from '../../../parts/map/view.ts';

type Position = WireData<'plant/positions'>[number];
type State = NonNullable<Position['state']>;

/** What is drawn at one place of the screen: one plant, or several that would cover each other. */
export interface Mark {
  readonly at: readonly [number, number];
  readonly plants: number;
  readonly state: State;
  /** The plant, if it is one. */
  readonly plant?: Position;
}

/** How far apart the middles of two marks are at least; a finger needs 24 px of each (WCAG 2.2, 2.5.8). */
const APART_PX = 44;

const GRAVEST: readonly State[] = ['alarm', 'offline', 'building', 'online'];

/** Marks for positions as seen on the screen. No nearer view tells them apart if `isNearest`: plants at one place then stand below one another. */
export function marksOf(
  positions: readonly Position[],
  view: View,
  isNearest: boolean,
): readonly Mark[] {
  const marks: Mark[] = [];
  const cells = new Map<string, number[]>();
  const cellOf = ([x, y]: Mark['at']): [number, number] => [
    Math.floor(x / APART_PX),
    Math.floor(y / APART_PX),
  ];
  const near = ([x, y]: Mark['at']): number | undefined => {
    const [column, row] = cellOf([x, y]);
    for (let i = column - 1; i <= column + 1; i++)
      for (let j = row - 1; j <= row + 1; j++)
        for (const index of cells.get(`${i},${j}`) ?? []) {
          const { at } = marks[index]!;
          if (Math.hypot(at[0] - x, at[1] - y) < APART_PX) return index;
        }
    return undefined;
  };
  const add = (mark: Mark): void => {
    const key = cellOf(mark.at).join();
    cells.set(key, [...(cells.get(key) ?? []), marks.length]);
    marks.push(mark);
  };
  // The largest ones keep their places.
  for (const plant of positions.toSorted((a, b) => (b.plants ?? 1) - (a.plants ?? 1))) {
    const { latitude, longitude, plants = 1, state = 'offline', id } = plant;
    const [px, py] = project(latitude!, longitude!);
    let at: Mark['at'] = [px * view.scale + view.x, py * view.scale + view.y];
    const one = { plants, state, ...(id !== undefined && { plant }) };
    let other = near(at);
    if (isNearest)
      while (other !== undefined) {
        at = [at[0], marks[other]!.at[1] + APART_PX];
        other = near(at);
      }
    if (other === undefined) add({ at, ...one });
    else marks[other] = joined(marks[other]!, one);
  }
  return marks;
}

const joined = (into: Mark, { plants, state }: Pick<Mark, 'plants' | 'state'>): Mark => ({
  at: into.at,
  plants: into.plants + plants,
  state: GRAVEST.find((one) => one === into.state || one === state)!,
});
