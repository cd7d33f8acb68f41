import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkValue } from '../../../packages/devices/src/parameters/check-value.ts';
import type { Parameter, ValueForm } from '../../../packages/devices/src/profiles/profile.ts';
import {
  allProfiles,
  parameterOf,
  profileOf,
} from '../../../packages/devices/src/profiles/profiles.ts';
import { isAlreadySet, readsBackAs } from '../../../packages/devices/src/parameters/read-back.ts';
import { usedSlots } from '../../../packages/devices/src/parameters/time-slots.ts';
import { writable } from './parameter-ids.ts';

const profiles = allProfiles();
const storage = (id: string): Parameter => parameterOf(profileOf('HS-8K-ES'), id)!;

describe('what was written and what is read back', () => {
  const slots = writable['103']!.takes;

  test.each([
    ['15', '50', '50', true],
    ['15', '50', ' 050.00 ', true],
    ['15', '50', '51', false],
    ['15', '50', '', false],
    ['15', '50', '50 %', false],
    ['15', '50', '0x32', false],
    ['15', 'x', 'y', false],
    ['52', '190', '190', true],
    ['54', '222', '190', false],
    ['5946', '00:00,06:00', '00:00-06:00', true],
    ['5946', '00:00-06:00', '00:00,06:00', true],
    ['5946', '00:00-06:00', '00:00-06:01', false],
    ['5946', '00:00-06:00', '', false],
    ['103', slots[1]!, slots[0]!, true],
    ['103', slots[0]!, slots[0]!.replace('20,55', '20.0,055'), true],
    ['103', slots[0]!, slots[0]!.replace('16:00', '16:30'), false],
    ['103', slots[0]!, slots[0]!.replace('55', '50'), false],
    // The third slot never begins.
    ['103', slots[0]!, slots[0]!.replace(/0,0,(?=00:00-00:00,00:00-00:00$)/, '20,55,'), true],
    ['636', '98', '98', true],
    // Firmware that clears the bit for time of use.
    ['636', '98', '96', false],
    ['636', '35', '4131', false],
    ['5916', '1', '1', true],
    ['5916', '1', '0', false],
    ['4643', '01', '1', false],
    ['56', '2026-11-22 13:07:00', '2026-11-22 13:07:00', true],
    ['56', '2026-11-22 23:59:59', '2026-11-23 00:00:04', true],
    ['56', '2026-11-22 13:07:00', '2026-11-22 13:12:30', true],
    ['56', '2026-11-22 13:07:00', '2026-11-22 13:12:31', false],
    ['56', '2026-11-22 13:07:00', '2026-11-22 13:06:59', false],
    ['56', '2026-11-22 13:07:00', '', false],
  ])('%s: %j and %j: %s', (id, written, read, expected) => {
    expect(readsBackAs(storage(id), written, read)).toBe(expected);
  });

  test('a value that is already there need not be written, but a clock always', () => {
    expect(isAlreadySet(storage('5946'), '00:00,06:00', '00:00-06:00')).toBe(true);
    expect(isAlreadySet(storage('5946'), '00:00,06:00', '00:00-07:00')).toBe(false);
    expect(isAlreadySet(storage('56'), '2026-11-22 13:07:00', '2026-11-22 13:07:00')).toBe(false);
  });
});

const two = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((n) => String(n).padStart(2, '0'));
const time = fc.tuple(two(0, 25), two(0, 61)).map((parts) => parts.join(':'));
const slot = fc.tuple(time, fc.constantFrom('-', ','), time).map((parts) => parts.join(''));
const number = fc.oneof(
  fc.integer({ min: -10, max: 1_100_000 }).map(String),
  fc.integer({ min: 0, max: 200 }).map(String),
  fc.float({ min: 0, max: 400 }).map((n) => n.toFixed(1)),
);
const slotOf = (separator: string): fc.Arbitrary<string> =>
  fc
    .tuple(number, number, time, time, time, time)
    .map(
      ([charge, discharge, a, b, c, d]) =>
        `${charge},${discharge},${a}${separator}${b},${c}${separator}${d}`,
    );
const slots = fc
  .constantFrom('-', ',')
  .chain((separator) =>
    fc
      .tuple(slotOf(separator), slotOf(separator), slotOf(separator))
      .map((three) => three.join(',')),
  );
const clock = fc
  .date({ min: new Date('1999-01-01'), max: new Date('2101-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));

const times = fc.array(time, { minLength: 5, maxLength: 7 }).map((all) => all.join(','));

const texts: Readonly<Record<ValueForm['type'], fc.Arbitrary<string>>> = {
  number,
  choice: fc.oneof(fc.constantFrom('0', '1', '190', '222', '00'), fc.string()),
  bits: fc.integer({ min: -1, max: 5000 }).map(String),
  clock,
  slot,
  slots,
  times: fc.oneof(
    times,
    fc.nat(4).map((n) => `0${n}:05,05:00,09:30,12:00,18:55,23:${n}5`),
  ),
  text: fc.string(),
};

/** How a device might show a value: other zeros, blanks around it. */
const shown: Readonly<Record<ValueForm['type'], (value: string) => string>> = {
  number: (value) => (value.includes('.') ? `${value}0` : `${value}.0`),
  choice: (value) => `0${value}`,
  bits: (value) => `0${value}`,
  clock: (value) => `${value}\n`,
  slot: (value) => ` ${value}`,
  slots: (value) => value.replaceAll('-', ','),
  times: (value) => value.replaceAll(',', ', '),
  text: (value) => value,
};

/** The currents of slots that never begin mean nothing. */
const sameMeaning = ({ form }: Parameter, value: string): string | undefined =>
  form.type === 'slots' ? usedSlots(value) : value;

/** Values of a form, for ids that are our own. */
function ends(form: ValueForm): string[] {
  if (form.type === 'number') return [form.min, form.max].map((end) => String(end * form.scale));
  if (form.type === 'choice') return [...form.settable];
  if (form.type === 'times') return ['00:05,05:00,09:30,12:00,18:55,23:55'];
  return form.type === 'bits' ? ['1'] : [];
}

const everyParameter = profiles.flatMap(({ id, parameters }) =>
  [...parameters.values()].map((parameter) => ({ profile: id, parameter })),
);
const contexts = ['4aff', '4b00'].map((displayVersion) => ({ oldValue: '0', displayVersion }));

describe('every value that a parameter accepts', () => {
  const accepted = (parameter: Parameter, text: string): string | undefined =>
    contexts.flatMap((context) => {
      const checked = checkValue(parameter, text, context);
      return 'value' in checked ? [checked.value] : [];
    })[0];

  test.each(everyParameter.filter(({ parameter }) => parameter.access === 'write'))(
    'reads back as itself: $profile $parameter.id',
    ({ parameter }) => {
      let count = 0;
      const known = fc.constantFrom(...(writable[parameter.id]?.takes ?? ends(parameter.form)));
      fc.assert(
        fc.property(
          fc.oneof(known, texts[parameter.form.type]),
          fc.oneof(known, texts[parameter.form.type]),
          (text, other) => {
            const value = accepted(parameter, text);
            if (value === undefined) return;
            count++;
            expect(accepted(parameter, value)).toBe(value);
            expect(readsBackAs(parameter, text, value)).toBe(true);
            expect(readsBackAs(parameter, value, shown[parameter.form.type](value))).toBe(true);
            const second = accepted(parameter, other);
            if (second !== undefined && parameter.form.type !== 'clock')
              expect(readsBackAs(parameter, value, second)).toBe(
                sameMeaning(parameter, value) === sameMeaning(parameter, second),
              );
          },
        ),
      );
      expect(count).toBeGreaterThan(0);
    },
  );

  test('any text at all is judged without an exception, by every parameter', () => {
    const any = fc.oneof(fc.string({ unit: 'binary' }), ...Object.values(texts));
    fc.assert(
      fc.property(fc.constantFrom(...everyParameter), any, any, ({ parameter }, text, read) => {
        const value = accepted(parameter, text);
        if (parameter.access === 'read') expect(value).toBeUndefined();
        expect(readsBackAs(parameter, text, read)).toEqual(expect.any(Boolean));
      }),
      { numRuns: 3000 },
    );
  });
});
