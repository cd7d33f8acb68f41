import fc from 'fast-check';
import { expect, test } from 'vitest';
import { registerProfiles } from '../../../packages/devices/src/profiles/profiles.ts';
import { boundsOf, decodeBlock } from '../../../packages/devices/src/registers/decode.ts';
import { parameterText, planWrite } from '../../../packages/devices/src/registers/plan-write.ts';
import type {
  Block,
  RegisterMap,
  RegisterValue,
} from '../../../packages/devices/src/registers/register-map.ts';
import type { Parameter } from '../../../packages/devices/src/profiles/profile.ts';

const context = { ratedPowerW: 10_000, phases: 3 };

/** The words of a raw number, written without the code under test: two's complement, the high word first. */
const wordsOf = (raw: number, count: number): number[] => {
  const all = BigInt.asUintN(16 * count, BigInt(raw));
  return Array.from({ length: count }, (_, i) =>
    Number((all >> BigInt(16 * (count - 1 - i))) & 0xffffn),
  );
};

const ENDS: Readonly<Record<string, readonly [number, number]>> = {
  u16: [0, 65_534],
  s16: [-32_767, 32_766],
  u32: [0, 4_294_967_294],
  s32: [-2_147_483_647, 2_147_483_646],
};

const measured = registerProfiles().flatMap(({ id: profile, registers }) =>
  registers!.blocks.flatMap((block) =>
    block.values
      .filter(({ quantity, type }) => quantity !== null && ENDS[type])
      .map((value) => ({ profile, id: value.id, map: registers!, block, value })),
  ),
);

function decode(
  map: RegisterMap,
  block: Block,
  value: RegisterValue,
  raw: number,
): number | undefined {
  const words = Array.from({ length: block.count }, () => 0);
  for (const [i, word] of wordsOf(raw, value.words.length).entries())
    words[value.words[i]! - block.address] = word;
  if (value.high !== null) words[value.high - block.address] = raw < 0 ? 0xffff : 0;
  const { all } = decodeBlock(map, block, words, {
    ...context,
    phases: value.phases ?? 3,
    confirmed: new Set([value.id]),
  });
  const found = all.find(({ register }) => register === value)!;
  return found.dropped === null ? (found.value as number) : undefined;
}

test.each(measured)(
  '$profile $id: what is within its bounds comes back, and nothing else',
  ({ map, block, value }) => {
    const [atLeast, atMost] = boundsOf(map, value, context);
    const [first, last] = ENDS[value.type]!;
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (raw) => {
        const magnitude = value.direction === null ? raw : Math.abs(raw);
        const expected = Math.round((magnitude + value.offset) * value.scale * 1e6) / 1e6;
        const isNothing =
          expected === 0 && (value.zeroIsNothing || value.quantity!.endsWith('TotalKwh'));
        const isWithin = expected >= atLeast && expected <= atMost && !isNothing;
        expect(decode(map, block, value, raw)).toBe(isWithin ? expected : undefined);
      }),
      { numRuns: 40 },
    );
  },
);

const textOf = ({ form }: Parameter): fc.Arbitrary<string> => {
  const time = fc
    .record({ h: fc.nat(23), m: fc.nat(59) })
    .map(({ h, m }) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
  const slot = fc.tuple(time, time).map(([from, to]) => `${from}-${to}`);
  switch (form.type) {
    case 'number':
      return fc
        .nat(Math.floor((form.max - form.min) / form.step))
        .map((n) => String((form.min + n * form.step) * form.scale));
    case 'choice':
      return fc.constantFrom(...form.settable);
    case 'bits':
      return fc.constantFrom(...[...form.bits.keys()].map((bit) => String(2 ** bit)));
    case 'clock':
      return fc
        .date({
          min: new Date('2000-01-01T00:00:00Z'),
          max: new Date('2099-12-31T23:59:59Z'),
          noInvalidDate: true,
        })
        .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));
    case 'slot':
      return slot;
    case 'slots':
      return fc
        .tuple(fc.nat(100), fc.nat(100), fc.array(slot, { minLength: 6, maxLength: 6 }))
        .map(([charge, discharge, slots]) =>
          [0, 1, 2]
            .map((i) => [charge, discharge, slots[2 * i], slots[2 * i + 1]].join(','))
            .join(','),
        );
    case 'times':
      return fc
        .uniqueArray(fc.nat(1440 / form.stepMinutes - 1), {
          minLength: form.count,
          maxLength: form.count,
        })
        .map((all) =>
          all
            .toSorted((a, b) => a - b)
            .map((n) => new Date(n * form.stepMinutes * 60_000).toISOString().slice(11, 16))
            .join(','),
        );
    case 'text':
      return fc.constant('');
  }
};

const written = registerProfiles().flatMap((profile) =>
  [...profile.parameters.values()].map((parameter) => ({
    name: `${profile.id} ${parameter.id}`,
    profile,
    parameter,
  })),
);

test.each(written)(
  '$name: what is written is read, and no other word changes',
  ({ profile, parameter }) => {
    const place = profile.registers!.places.get(parameter.id)!;
    fc.assert(
      fc.property(textOf(parameter), fc.nat(0xffff), (text, noise) => {
        const memory = new Map<number, number>();
        const at = (address: number): number => memory.get(address) ?? noise;
        const plan = planWrite(profile, parameter.id, text, at, {
          confirmed: new Set([parameter.id]),
          displayVersion: parameter.displayVersions?.before ? '4a00' : '4b00',
          oldValue: '0',
        });
        // Some values of the interface do not fit into one word.
        if ('fault' in plan) {
          expect(plan.fault).toMatch(/does not fit/);
          expect(Number(text)).toBeGreaterThan(60_000);
          return;
        }
        for (const { address, words, function: code } of plan.writes) {
          expect(words.length).toBeLessThanOrEqual(code === 6 ? 1 : 123);
          for (const [i, word] of words.entries()) memory.set(address + i, word);
        }
        expect(parameterText(profile, parameter.id, at)).toBe(plan.value);
        const { encoding } = place;
        if (encoding.as === 'bit')
          expect((at(encoding.address) ^ noise) & ~(1 << encoding.bit) & 0xffff).toBe(0);
        // A second time, there is nothing to do, unless the device would forget it.
        if (encoding.as !== 'clock' && parameter.hold === null) {
          const again = planWrite(profile, parameter.id, text, at, {
            confirmed: new Set([parameter.id]),
            displayVersion: parameter.displayVersions?.before ? '4a00' : '4b00',
            oldValue: '0',
          });
          expect(again).toEqual({ value: plan.value, writes: [] });
        }
      }),
      { numRuns: 25 },
    );
  },
);
