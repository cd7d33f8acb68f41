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

  test('few names are looked up at once, and a domain whose name server is silent keeps no other waiting', async () => {
    const silent = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    const resolve4 = async (name: string): Promise<string[]> => {
      running += 1;
      most = Math.max(most, running);
      if (name.endsWith('.silent.example')) await silent.promise;
      running -= 1;
      return ['192.0.2.1'];
    };
    const names = createNames({
      local: false,
      dns: { resolve4, resolve6: async () => [] } as never,
    });
    const hanging = Array.from({ length: 500 }, (_, i) => names(`h${i}.silent.example`));
    const refused = await Promise.race(hanging.slice(-1));
    expect(refused).toEqual([]);
    expect(most).toBe(32);
    const other = names('a.other.example');
    silent.resolve();
    expect(await other).toEqual(['192.0.2.1']);
    const found = await Promise.all(hanging);
    // Those that were looked up and those that waited; the others were too many.
    expect(found.filter((addresses) => addresses.length > 0)).toHaveLength(232);
    expect(most).toBe(32);
  });

  test('so many names wait at most, of however many domains', async () => {
    const silent = Promise.withResolvers<string[]>();
    const names = createNames({
      local: false,
      dns: { resolve4: () => silent.promise, resolve6: async () => [] } as never,
    });
    const asked = Array.from({ length: 3_000 }, (_, i) => names(`a.domain${i}.example`));
    expect(await asked.at(-1)).toEqual([]);
    silent.resolve(['192.0.2.1']);
    const found = await Promise.all(asked);
    expect(found.filter((addresses) => addresses.length > 0)).toHaveLength(2_032);
  });
});
