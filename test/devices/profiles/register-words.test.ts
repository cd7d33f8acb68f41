import { expect, test } from 'vitest';
import type { Parameter } from '../../../packages/devices/src/profiles/profile.ts';
import {
  allProfiles,
  parameterOf,
  profileOf,
} from '../../../packages/devices/src/profiles/profiles.ts';
import { valueOfWord, wordOf } from '../../../packages/devices/src/parameters/register-words.ts';

const profiles = allProfiles();
const switchOn = parameterOf(profileOf('HI-10K'), '48')!;

test('a recorded write of 190 is what the power switch of a string inverter is sent', () => {
  const [unit, writeFunction, ...frame] = Buffer.from('01060BBE00BE6BBA', 'hex');
  const [address, word] = [frame[0]! * 256 + frame[1]!, frame[2]! * 256 + frame[3]!];
  expect({ unit, writeFunction, address }).toMatchObject({
    unit: 1,
    writeFunction: switchOn.register!.writeFunction,
    address: switchOn.register!.address,
  });
  expect(wordOf(switchOn, '190')).toBe(word);
  expect(valueOfWord(switchOn, word)).toBe('190');
});

test('every option of a parameter with a known register is a word and back', () => {
  const known = profiles
    .flatMap(({ parameters }) => [...parameters.values()])
    .filter(({ register }) => register !== null);
  expect(known.length).toBeGreaterThan(0);
  for (const parameter of known) {
    const { form } = parameter;
    const values = form.type === 'choice' ? Object.keys(form.options) : [];
    expect(values).not.toEqual([]);
    for (const value of values)
      expect(valueOfWord(parameter, wordOf(parameter, value)!)).toBe(value);
  }
});

test('nothing is made up where the register is not known, or the value is no word', () => {
  const unknown: Parameter = { ...switchOn, register: null };
  expect([wordOf(unknown, '190'), valueOfWord(unknown, 190)]).toEqual([undefined, undefined]);
  for (const value of ['-1', '65536', '1.5', '2026-11-22 13:07:00', ''])
    expect(wordOf(switchOn, value), value).toBeUndefined();
  for (const word of [-1, 65_536, 1.5])
    expect(valueOfWord(switchOn, word), String(word)).toBeUndefined();
});
