import { describe, expect, test } from 'vitest';
import {
  isProtection,
  neverWritten,
} from '../../../packages/devices/src/profiles/never-written.ts';
import { findProfile, registerProfiles } from '../../../packages/devices/src/profiles/profiles.ts';
import { addressesOf } from '../../../packages/devices/src/profiles/read-places.ts';
import { readProfile } from '../../../packages/devices/src/profiles/read-profile.ts';
import { decodeBlock } from '../../../packages/devices/src/registers/decode.ts';
import { isWritable } from '../../../packages/devices/src/registers/plan-write.ts';

const file = (values: string, places = '', parameters = ''): string => `name: n
description: d
models: []
writesPerDay: 10
${parameters === '' ? '' : `parameters:\n${parameters}\n`}registers:
  maker: Solis
  kind: inverter
  model: m
  atMostW: 10000
  identify:
    checks: [{ name: kind, table: input, at: 1, oneOf: [1] }]
    facts: {}
  blocks:
    - name: b
      table: input
      from: 100
      count: 10
      every: fast
      values:
${values
  .split('\n')
  .map((line) => `        - { ${line} }`)
  .join('\n')}
${places === '' ? '' : `  places:\n    - { ${places} }\n`}`;

const read = (text: string) => readProfile('made-up', text, findProfile);
const NUMBER = (id: number): string =>
  `  - { id: ${id}, name: p, type: number, unit: W, range: [0, 10], step: 1 }`;
const VALUE = 'at: 100, is: acPowerW, sources: [a, b]';

describe('the registers of a profile are refused with their place and line', () => {
  test.each([
    ['at: 100, is: acPowerW', 'registers.blocks[0].values[0], line 20: sources is missing'],
    [
      'at: 100, is: colour, sources: []',
      'registers.blocks[0].values[0], line 20: colour is no quantity',
    ],
    ['at: 100, sources: []', 'either is or name must be there'],
    ['is: acPowerW, sources: []', 'either at or words must be there'],
    ['at: 100, is: acPowerW, type: u8, sources: []', 'type must be u16 or s16 or u32'],
    ['at: 100, is: acPowerW, scale: 0, sources: []', 'scale must be a number, not 0'],
    ['at: 100, is: acPowerW, colour: red, sources: []', 'colour is not a field here'],
    ['at: 109, is: acPowerW, type: u32, sources: []', 'acPowerW is not within the block'],
    ['at: 100, is: acPowerW, direction: 120, sources: []', 'acPowerW is not within the block'],
    ['at: 99, is: acPowerW, sources: []', 'acPowerW is not within the block'],
    ['words: [100], type: u32, is: acPowerW, sources: []', 'as many words as the type has'],
    [
      'at: 100, name: x, sources: []\nat: 101, name: x, sources: []',
      'values[1], line 21: x occurs twice',
    ],
    ['at: 100, is: acPowerW, bounds: [5, 1], sources: []', 'bounds must be two ascending numbers'],
    ['at: 70000, is: acPowerW, sources: []', 'at must be a whole number from 0 to 65535'],
  ])('%s', (values, message) => {
    expect(() => read(file(values))).toThrow('profile made-up.yaml: registers');
    expect(() => read(file(values))).toThrow(message);
  });

  test.each([
    ['id: 90001, at: 43011, write: 6, sources: []', '90001 is not a parameter of this profile'],
    ['id: 90009, at: 43249, write: 6, sources: [a, b]', '43249 of Solis must never be written'],
    [
      'id: 90009, at: 43240, write: 16, together: { at: 43240, count: 12 }, sources: [a, b]',
      '43249 of Solis must never be written',
    ],
    ['id: 90009, at: 43011, write: 6, gate: { at: 43249, on: 1 }, sources: []', '43249 of Solis'],
    ['id: 90009, at: 43011, write: 5, sources: []', 'write must be 6 or 16'],
    ['id: 90009, sources: []', '90009: at is missing'],
    ['at: 43011, write: 6, sources: []', 'either id or ids must be there, not both'],
    [
      'id: 90009, at: 43011, write: 6, together: { at: 43011, count: 2 }, sources: []',
      'together needs write: 16',
    ],
  ])('%s', (places, message) => {
    expect(() => read(file(VALUE, places, NUMBER(90_009)))).toThrow(message);
  });

  test('a maker without a list of what is never written has no parameters', () => {
    const text = file(VALUE, 'id: 90009, at: 5, write: 6, sources: [a, b]', NUMBER(90_009));
    expect(() => read(text)).not.toThrow();
    expect(() => read(text.replace('maker: Solis', 'maker: Nobody'))).toThrow(
      '5 of Nobody must never be written',
    );
  });

  test.each([13, 44, 262, 378, 443, 472, 497, 568])(
    '%i protects the grid: it is no parameter',
    (id) => {
      expect(() => read(file(VALUE, '', NUMBER(id)))).toThrow(
        `${id} sets a protection of the grid, which is never a parameter`,
      );
    },
  );
});

describe('two sources', () => {
  const confirmed = (entry: string): boolean =>
    read(file(`at: 100, is: ${entry}`)).registers!.blocks[0]!.values[0]!.evidence.isConfirmed;

  test.each([
    ['gridFrequencyHz, sources: [a, b]', true],
    ['gridFrequencyHz, sources: [a]', false],
    ['gridFrequencyHz, sources: []', false],
    ["gridFrequencyHz, sources: [a, b], doubt: 'c: scale 0.1'", false],
    // Whether there is a sign changes nothing here: no value within the bounds has the highest bit.
    ["acPowerW, type: u32, sources: [a, b], doubt: 'c: signed'", true],
    [
      "temperatureC, type: s16, scale: 0.1, sources: [a, b], doubt: 'c: unsigned; d: unsigned'",
      true,
    ],
    ["temperatureC, type: s16, scale: 0.001, sources: [a, b], doubt: 'c: unsigned'", false],
    ["acPowerW, type: u32, sources: [a], doubt: 'c: signed'", false],
    ["acPowerW, type: u32, sources: [a, b], doubt: 'c: signed; d: scale 10 W'", false],
  ])('%s: %s', (entry, isConfirmed) => {
    expect(confirmed(entry)).toBe(isConfirmed);
  });

  test('hold in every profile: nothing else is reported or written', () => {
    for (const profile of registerProfiles()) {
      const { blocks, places } = profile.registers!;
      for (const { evidence, id } of [
        ...blocks.flatMap(({ values }) => values),
        ...[...places].map(([parameter, place]) => ({ ...place, id: parameter })),
      ])
        if (evidence.isConfirmed)
          expect(new Set(evidence.sources).size, `${profile.id} ${id}`).toBeGreaterThan(1);
      for (const [id, place] of places)
        expect(isWritable(profile, id), `${profile.id} ${id}`).toBe(
          place.evidence.isConfirmed && profile.parameters.get(id)!.access === 'write',
        );
      for (const block of blocks) {
        const words = Array.from({ length: block.count }, () => 1);
        for (const { register, dropped } of decodeBlock(profile.registers!, block, words).all)
          if (dropped === null)
            expect(register.evidence.isConfirmed, `${profile.id} ${register.id}`).toBe(true);
      }
    }
  });

  test('no profile touches what protects the grid', () => {
    for (const { id, registers, parameters } of registerProfiles()) {
      for (const one of parameters.keys()) expect(isProtection(one), `${id} ${one}`).toBe(false);
      for (const place of registers!.places.values())
        expect(neverWritten(registers!.maker, addressesOf(place)), id).toEqual([]);
    }
    for (const address of [27, 30, 34, 46, 50, 138, 182, 188, 285, 290])
      expect(neverWritten('Deye', [address])).toEqual([address]);
  });
});
