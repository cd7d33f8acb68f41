import { describe, expect, test } from 'vitest';
import { createNames } from '../../../packages/server/src/platform/egress/names.ts';

const missing = async (): Promise<never> => {
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};
const dns = { resolve4: missing, resolve6: missing } as never;

describe('the look-up of names', () => {
  /** A system whose look-ups end when they are made to. */
  const slowSystem = () => {
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    return {
      asked,
      ends,
      ask: (name: string): Promise<readonly string[]> => {
        asked.push(name);
        return new Promise((resolve) => ends.push(() => resolve(['192.0.2.1'])));
      },
    };
  };

  test('never asks the system about a stranger’s name, which can only be in the DNS', async () => {
    const system = slowSystem();
    const names = createNames({ local: false, dns, system: system.ask });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => names(`${i}.example.com`)),
    );
    expect(answers.flat()).toEqual([]);
    expect(system.asked).toEqual([]);
  });

  test.each([
    ['a name without a dot', false, 'mosquitto'],
    ['any name where the operator’s networks may be reached', true, 'nas.lan'],
  ])('asks the system about %s', async (_what, local, name) => {
    const names = createNames({ local, dns, system: async () => ['10.0.0.7'] });
    expect(await names(name)).toEqual(['10.0.0.7']);
  });

  test('occupies one thread of the system at most, however many ask and however long it takes', async () => {
    const system = slowSystem();
    const names = createNames({ local: true, dns, system: system.ask });
    const answers = Array.from({ length: 12 }, (_, i) => names(`host${i}`));
    // None answers: those who wait learn that there is no such name.
    expect((await Promise.all(answers)).flat()).toEqual([]);
    expect(system.asked).toEqual(['host0']);
    // Afterwards it is asked again, and not about names for which nobody waits any more.
    system.ends[0]!();
    const next = names('later');
    await expect.poll(() => system.asked).toEqual(['host0', 'later']);
    system.ends[1]!();
    expect(await next).toEqual(['192.0.2.1']);
  });

  test('takes a name that the system does not know for one without addresses', async () => {
    const names = createNames({ local: true, dns, system: missing });
    expect(await names('nowhere')).toEqual([]);
  });
});
