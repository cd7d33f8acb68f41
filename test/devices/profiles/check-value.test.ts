import { describe, expect, test } from 'vitest';
import {
  checkValue,
  type WriteContext,
} from '../../../packages/devices/src/parameters/check-value.ts';
import type { Parameter } from '../../../packages/devices/src/profiles/profile.ts';
import {
  allProfiles,
  parameterOf,
  profileOf,
} from '../../../packages/devices/src/profiles/profiles.ts';
import { readable, writable } from './parameter-ids.ts';

/** Those of devices that speak the protocol themselves; the ids of others are partly our own. */
const writing = allProfiles().filter(
  ({ id, registers }) => id !== 'generic' && !id.startsWith('sunspec') && !registers,
);
const generic = profileOf('NOBODY-KNOWS');

/** What a write of the parameter needs besides a value. */
const contextOf = ({ displayVersions }: Parameter): WriteContext => ({
  oldValue: '0',
  displayVersion: displayVersions?.before ? '4aff' : '4b00',
});

/** The parameters of all profiles with this id that can be written. */
const named = (id: string): Parameter[] =>
  writing
    .flatMap((profile) => parameterOf(profile, id) ?? [])
    .filter(({ access }) => access === 'write');

const on = (model: string, id: string): Parameter => parameterOf(profileOf(model), id)!;

describe('the ids of the interface', () => {
  test('that can be written are in a profile, and no others', () => {
    const ids = new Set(
      writing.flatMap(({ parameters }) =>
        [...parameters.values()].filter(({ access }) => access === 'write').map(({ id }) => id),
      ),
    );
    expect([...ids].toSorted()).toEqual(Object.keys(writable).toSorted());
  });

  test('can all be read on a device whose model nobody knows, and none can be written', () => {
    expect([...generic.parameters.keys()].toSorted()).toEqual(
      [...Object.keys(writable), ...readable].toSorted(),
    );
    for (const parameter of generic.parameters.values()) {
      expect(
        checkValue(parameter, '1', { oldValue: '0', displayVersion: '4b00' }),
        parameter.id,
      ).toMatchObject({ fault: { reason: 'readOnly' } });
      expect(parameter.writesPerDay).toBe(0);
    }
  });

  test.each(Object.entries(writable))(
    '%s takes its values, and refuses others',
    (id, { takes, refuses }) => {
      expect(named(id)).not.toEqual([]);
      for (const parameter of named(id)) {
        for (const text of takes) {
          // Model codes with hundreds of watts are tested below.
          if (id === '499' && 'scale' in parameter.form && parameter.form.scale !== 1) continue;
          expect(checkValue(parameter, text, contextOf(parameter)), text).toHaveProperty('value');
        }
        for (const text of refuses)
          expect(checkValue(parameter, text, contextOf(parameter)), text).toHaveProperty(
            'fault.expected',
          );
      }
    },
  );

  test.each(readable)('%s is only read', (id) => {
    expect(named(id)).toEqual([]);
    expect(checkValue(on('HS-8K-ES', id), '1', { oldValue: '0' })).toMatchObject({
      fault: { reason: 'readOnly' },
    });
  });
});

describe('a fault names what is wrong', () => {
  const fault = (parameter: Parameter | undefined, text: string, context?: WriteContext): unknown =>
    checkValue(parameter, text, context);

  test.each([
    [
      'an unknown id',
      undefined,
      '1',
      { reason: 'unknownParameter', expected: 'a parameter that devices of this model have' },
    ],
    [
      'a battery setting of a string inverter',
      parameterOf(profileOf('HI-10K'), '157'),
      '20',
      { reason: 'unknownParameter' },
    ],
    [
      'text for a number',
      on('HI-10K', '15'),
      'ten',
      { reason: 'malformed', expected: 'a number from 0 to 110 %' },
    ],
    [
      'out of range',
      on('HI-10K', '15'),
      '110.5',
      { reason: 'outOfRange', expected: 'a number from 0 to 110 %' },
    ],
    [
      'below the range',
      on('HS-8K-ES', '158'),
      '4',
      { reason: 'outOfRange', expected: 'a number from 5 to 100 %' },
    ],
    [
      'off step',
      on('HI-10K', '15'),
      '10.5',
      { reason: 'offStep', expected: 'a number from 0 to 110 % in steps of 1' },
    ],
    ['no option', on('HI-10K', '48'), '222', { reason: 'malformed', expected: 'one of 190 (on)' }],
    ['no slot', on('HS-8K-ES', '5946'), '6', { reason: 'otherFirmware' }],
    [
      'no time',
      on('HI-10K', '18'),
      'now',
      { reason: 'malformed', expected: 'a time from 2000 to 2099, as yyyy-MM-dd HH:mm:ss' },
    ],
    [
      'bits that nobody knows',
      on('HS-8K-ES', '636'),
      '4097',
      {
        reason: 'outOfRange',
        expected: 'a sum of 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048',
      },
    ],
    [
      'bits that exclude each other',
      on('HS-8K-ES', '636'),
      '65',
      { reason: 'outOfRange', expected: 'at most one of 1 (self-use), 64 (feed-in priority)' },
    ],
    [
      'bits that are no number',
      on('HS-8K-ES', '636'),
      '0b11',
      { reason: 'malformed', expected: 'a decimal number whose bits are switches' },
    ],
  ])('%s', (_case, parameter, text, expected) => {
    expect(fault(parameter, text, { displayVersion: '4aff' })).toMatchObject({ fault: expected });
  });

  test('no old value, where one is needed: after the value itself, and an empty one is none', () => {
    const parameter = on('HS-8K-ES', '6962');
    for (const oldValue of [undefined, null, ''])
      expect(fault(parameter, '1', { oldValue })).toMatchObject({
        fault: { reason: 'missingOldValue' },
      });
    expect(fault(parameter, '2')).toMatchObject({ fault: { reason: 'malformed' } });
    // Not compared with what the device has: clients send the number behind the bit.
    expect(fault(parameter, '1', { oldValue: '88' })).toEqual({ value: '1' });
  });

  test.each([
    ['5946', '4b00', undefined],
    ['5946', '4C12', undefined],
    ['5946', '4aff', 'otherFirmware'],
    ['103', '4aff', undefined],
    ['103', '4b00', 'otherFirmware'],
    ['5946', undefined, 'unknownFirmware'],
    ['5946', null, 'unknownFirmware'],
    ['5946', '0000', 'unknownFirmware'],
    ['5946', 'V4b00', 'unknownFirmware'],
    ['5946', '4b00 or so', 'unknownFirmware'],
    ['103', '', 'unknownFirmware'],
  ])('%s on a display of version %s: %s', (id, displayVersion, reason) => {
    const text = id === '103' ? writable['103']!.takes[0]! : '00:00-06:00';
    const checked = fault(on('HS-8K-ES', id), text, { displayVersion });
    expect(checked).toMatchObject(reason === undefined ? { value: text } : { fault: { reason } });
  });

  test('a setting that does not depend on the display needs no version of it', () => {
    expect(fault(on('HS-8K-ES', '157'), '20')).toEqual({ value: '20' });
  });
});

describe('a value is brought to one spelling', () => {
  test.each([
    ['15', '50.0', '50'],
    ['15', '-0', '0'],
    ['5946', '23:30,05:30', '23:30-05:30'],
    ['103', writable['103']!.takes[1]!, writable['103']!.takes[0]!],
    [
      '103',
      writable['103']!.takes[0]!.replace('55', '55.50'),
      writable['103']!.takes[0]!.replace('55', '55.5'),
    ],
  ])('%s: %s is %s', (id, text, value) => {
    const parameter = on('HS-8K-ES', id);
    expect(checkValue(parameter, text, contextOf(parameter))).toEqual({ value });
  });

  test('export power in hundreds of watts is written as hundreds', () => {
    const parameter = on('3331', '499');
    expect(checkValue(parameter, '50')).toEqual({ value: '50' });
    expect(checkValue(parameter, '50.5')).toMatchObject({
      fault: {
        reason: 'offStep',
        expected: 'a number from 0 to 10000 (the value in W times 0.01) in steps of 1',
      },
    });
    expect(checkValue(parameter, '10001')).toMatchObject({ fault: { reason: 'outOfRange' } });
    expect(checkValue(on('HS-8K-ES', '499'), '10001')).toEqual({ value: '10001' });
  });
});
