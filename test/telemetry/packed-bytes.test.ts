import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPackedReader,
  createPackedWriter,
} from '../../packages/server/src/measurements/energy/codec/packed-bytes.ts';

const packed = (values: readonly number[]): Buffer => {
  const writer = createPackedWriter();
  writer.decimals(Float64Array.from(values));
  return writer.take();
};

const EDGES = [
  0,
  -0,
  0.1,
  -0.1,
  0.001,
  -0.0005,
  229.999,
  1e15,
  -1e15,
  2 ** 49,
  2 ** 53 + 2,
  1e300,
  5e-324,
  Infinity,
  -Infinity,
  Number.NaN,
];

test('values come back bit by bit, whatever they are', () => {
  const value = fc.oneof(
    fc.double(),
    fc.constantFrom(...EDGES),
    fc.integer({ min: -1e9, max: 1e9 }).map((digits) => digits / 1000),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const read = createPackedReader(packed(values)).decimals(values.length);
      expect([...read].every((one, i) => Object.is(one, values[i]))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('what a meter shows takes at most four bytes', () => {
  for (const shown of [0, 230.1, -49.98, 9_000.5, 0.999, Number.NaN])
    expect(packed([shown]).length).toBeLessThanOrEqual(4);
  expect(packed([Math.PI])).toHaveLength(9);
});

test('a state that ends too early is an error', () => {
  expect(() => createPackedReader(packed([230.1]).subarray(0, 1)).decimals(1)).toThrow(
    'ends too early',
  );
});
