import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../packages/server/src/kernel/password.ts';

/** The nice values of this process's threads, by thread. */
const niceValues = (): Map<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      // Fields after the name, which is in brackets and may hold spaces: the third is the state.
      return [thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );

test.runIf(process.platform === 'linux')('passwords are verified in a thread of low priority, which leaves all others theirs', async () => {
  const phc = await hashPassword('sun on the barn roof');
  const before = niceValues();
  expect(await verifyPassword(phc, 'sun on the barn roof')).toBe(true);
  const after = niceValues();
  expect([...before].filter(([thread, nice]) => (after.get(thread) ?? nice) !== nice)).toEqual([]);
  const added = [...after].filter(([thread]) => !before.has(thread)).map(([, nice]) => nice);
  expect(Math.max(...added) - Math.min(...before.values())).toBe(10);
});

test('a verifier that cannot be computed is an error of that one attempt', async () => {
  const phc = await hashPassword('sun on the barn roof');
  for (let attempt = 0; attempt < 2; attempt++) await expect(verifyPassword(phc.replace(/m=\d+/, 'm=1'), 'sun on the barn roof')).rejects.toThrow('memory');
  expect(await verifyPassword(phc, 'sun on the barn roof')).toBe(true);
});
