import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { expect, test } from 'vitest';
import {
  hashPassword,
  verifyPassword,
} from '../../packages/server/src/platform/kernel/passwords/password.ts';

interface Thread {
  readonly name: string;
  readonly niceness: number;
}

/** The threads of this process, by id. */
const threads = (): Map<string, Thread> =>
  new Map(
    readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
      // The name is in brackets and may hold spaces; the first field after it is the third, the state.
      const [from, to] = [stat.indexOf('('), stat.lastIndexOf(')')];
      return [
        id,
        { name: stat.slice(from + 1, to), niceness: Number(stat.slice(to + 2).split(' ')[16]) },
      ];
    }),
  );

test.runIf(process.platform === 'linux')(
  'passwords are verified in a thread of low priority, which leaves all others theirs',
  async () => {
    const phc = await hashPassword('sun on the barn roof');
    const before = threads();
    expect(await verifyPassword(phc, 'sun on the barn roof')).toBe(true);
    const after = threads();
    expect(
      [...before].filter(
        ([id, { niceness }]) => (after.get(id)?.niceness ?? niceness) !== niceness,
      ),
    ).toEqual([]);
    const verifying = [...after.values()].filter(({ name }) => name === 'passwords');
    expect(verifying.map(({ niceness }) => niceness)).toEqual([
      Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW),
    ]);
  },
);

test('a verifier that cannot be computed is an error of that one attempt', async () => {
  const phc = await hashPassword('sun on the barn roof');
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(
      verifyPassword(phc.replace(/m=\d+/, 'm=1'), 'sun on the barn roof'),
    ).rejects.toThrow('memory');
  expect(await verifyPassword(phc, 'sun on the barn roof')).toBe(true);
});
