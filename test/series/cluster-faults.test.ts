import { expect, test } from 'vitest';
import { isClusterAway } from '../../packages/server/src/measurements/series/cassandra/faults.ts';

test.each([
  [
    'a connection that broke while the request was under way',
    Object.assign(new Error('Socket was closed'), { isSocketError: true }),
    true,
  ],
  [
    'an error that says that it is none of a connection',
    Object.assign(new Error('no'), { isSocketError: false }),
    false,
  ],
  ['a fault of our own', new TypeError('undefined is not a function'), false],
])('whether a call to the cluster is worth trying again: %s', (_, error, expected) => {
  expect(isClusterAway(error)).toBe(expected);
});
