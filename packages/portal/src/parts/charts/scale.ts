/** An axis between two lines, divided into equal parts. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  /** Number of the parts. */
  readonly parts: number;
}

/** Numbers of parts that per cent divide into well, too. */
const PARTS = [2, 4, 5];
const STEPS = [1, 2, 2.5, 5];

/** Steps from small to large: 1, 2, 2.5 or 5 times a power of ten, from some tenth of `span` on. */
function* stepsOf(span: number): Generator<number> {
  for (let power = 10 ** Math.floor(Math.log10(span / 10)); ; power *= 10)
    for (const step of STEPS) yield step * power;
}

/** The closest lines around values and 0, with few round numbers along them. */
export function scaleOf(min: number | null, max: number | null): Scale {
  const [low, high] = [Math.min(0, min ?? 0), Math.max(0, max ?? 0)];
  const span = high - low || 1;
  for (const step of stepsOf(span)) {
    const [first, last] = [Math.floor(low / step), Math.ceil((high || span) / step)];
    const parts = PARTS.find((one) => one >= last - first);
    if (parts !== undefined) return { min: first * step, max: (first + parts) * step, parts };
  }
  throw new Error('steps have no end');
}

/** The closest scale for values from 0 on whose lines are those of another. */
export function scaleBeside(max: number | null, parts: number): Scale {
  const high = max !== null && max > 0 ? max : 1;
  for (const step of stepsOf(high))
    if (step * parts >= high) return { min: 0, max: step * parts, parts };
  throw new Error('steps have no end');
}

/** Where its lines are, from the lowest on. */
export const linesOf = ({ min, max, parts }: Scale): number[] =>
  Array.from({ length: parts + 1 }, (_, i) => min + ((max - min) * i) / parts);
