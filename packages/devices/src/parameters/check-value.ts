import { clockSeconds } from './device-clock.ts';
import { numberText, plainNumber, rounded } from './numbers.ts';
import type {
  BitsForm,
  ChoiceForm,
  NumberForm,
  Parameter,
  ValueForm,
} from '../profiles/profile.ts';
import { startMinutes, startTimesText } from './start-times.ts';
import { slotsText, slotText } from './time-slots.ts';

/** Why a value may not be written. */
export interface ValueFault {
  readonly reason:
    | 'unknownParameter'
    | 'readOnly'
    | 'otherFirmware'
    | 'unknownFirmware'
    | 'malformed'
    | 'outOfRange'
    | 'offStep'
    | 'missingOldValue';
  /** Text for a message, to follow the word "expected". */
  readonly expected: string;
}

/** A value in the spelling in which it is sent and compared, or why it may not be written. */
export type CheckedValue = { readonly value: string } | { readonly fault: ValueFault };

/** The facts about a write besides the value. */
export interface WriteContext {
  /** The value that the device had before, if the caller stated it. */
  readonly oldValue?: string | null | undefined;
  /** Version of the display's firmware, hexadecimal text, if the device has reported it. */
  readonly displayVersion?: string | null | undefined;
}

/** Checks a value, given as text, that somebody wants to write; when in doubt, refuses it. */
export function checkValue(
  parameter: Parameter | undefined,
  text: string,
  { oldValue, displayVersion }: WriteContext = {},
): CheckedValue {
  if (parameter === undefined)
    return fault('unknownParameter', 'a parameter that devices of this model have');
  if (parameter.access === 'read')
    return fault(
      'readOnly',
      `a parameter that can be written, unlike ${parameter.id} (${parameter.name})`,
    );
  const unfit = firmwareFault(parameter, displayVersion);
  if (unfit) return { fault: unfit };
  const checked = checkForm(parameter.form, text);
  if ('fault' in checked) return checked;
  if (parameter.oldValueRequired && (oldValue == null || oldValue === ''))
    return fault('missingOldValue', `the old value of ${parameter.name}: read it first`);
  return checked;
}

const faultFor = (reason: ValueFault['reason'], expected: string): ValueFault => ({
  reason,
  expected,
});
const fault = (reason: ValueFault['reason'], expected: string): CheckedValue => ({
  fault: faultFor(reason, expected),
});

/** Why a parameter depends on another version of the display’s firmware than a device has; undefined if it does not. */
export function firmwareFault(
  { name, displayVersions }: Parameter,
  displayVersion: string | null | undefined,
): ValueFault | undefined {
  if (displayVersions === null) return undefined;
  const { from, before } = displayVersions;
  const version =
    displayVersion != null && /^[0-9a-f]{1,8}$/i.test(displayVersion)
      ? Number.parseInt(displayVersion, 16)
      : 0;
  // On the wire, 0 stands for a device that does not report its version.
  if (version === 0)
    return faultFor(
      'unknownFirmware',
      `a device that has reported the version of its display, on which ${name} depends`,
    );
  if (from !== null && version < from)
    return faultFor(
      'otherFirmware',
      `a display of version ${from.toString(16)} or newer for ${name}`,
    );
  if (before !== null && version >= before)
    return faultFor(
      'otherFirmware',
      `a display older than version ${before.toString(16)} for ${name}`,
    );
  return undefined;
}

function checkForm(form: ValueForm, text: string): CheckedValue {
  switch (form.type) {
    case 'number':
      return checkNumber(form, text);
    case 'choice':
      return checkChoice(form, text);
    case 'bits':
      return checkBits(form, text);
    case 'clock':
      return clockSeconds(text) === undefined
        ? fault('malformed', 'a time from 2000 to 2099, as yyyy-MM-dd HH:mm:ss')
        : { value: text };
    case 'slot':
      return valueOr(slotText(text), 'a slot as HH:mm-HH:mm');
    case 'slots':
      return valueOr(
        slotsText(text, form.maxCurrentA),
        `three times charge current, discharge current (0 to ${form.maxCurrentA} A in steps of 0.1), charge slot, discharge slot (HH:mm-HH:mm), separated by commas`,
      );
    case 'times': {
      const minutes = startMinutes(form, text);
      return valueOr(
        minutes && startTimesText(minutes),
        `${form.count} times as HH:mm, separated by commas, in steps of ${form.stepMinutes} minutes, each later than the one before`,
      );
    }
    case 'text':
      return fault('readOnly', 'a parameter that can be written');
  }
}

const valueOr = (value: string | undefined, expected: string): CheckedValue =>
  value === undefined ? fault('malformed', expected) : { value };

function checkNumber({ unit, min, max, step, scale }: NumberForm, text: string): CheckedValue {
  const range = `from ${numberText(min * scale)} to ${numberText(max * scale)}`;
  const meaning = scale === 1 ? ` ${unit}` : ` (the value in ${unit} times ${scale})`;
  const number = plainNumber(text);
  if (number === undefined) return fault('malformed', `a number ${range}${meaning}`);
  const value = rounded(number / scale);
  if (value < min || value > max) return fault('outOfRange', `a number ${range}${meaning}`);
  if (!Number.isInteger(rounded((value - min) / step)))
    return fault('offStep', `a number ${range}${meaning} in steps of ${numberText(step * scale)}`);
  return { value: numberText(number) };
}

function checkChoice({ options, settable }: ChoiceForm, text: string): CheckedValue {
  return settable.includes(text)
    ? { value: text }
    : fault(
        'malformed',
        `one of ${settable.map((value) => `${value} (${options[value]})`).join(', ')}`,
      );
}

function checkBits({ bits, exclusive }: BitsForm, text: string): CheckedValue {
  const number = plainNumber(text);
  const known = [...bits.keys()].reduce((sum, bit) => sum + 2 ** bit, 0);
  if (number === undefined) return fault('malformed', 'a decimal number whose bits are switches');
  if (!Number.isInteger(number) || number < 1 || (number & ~known) !== 0)
    return fault('outOfRange', `a sum of ${[...bits.keys()].map((bit) => 2 ** bit).join(', ')}`);
  if (exclusive.filter((bit) => (number & (2 ** bit)) !== 0).length > 1)
    return fault(
      'outOfRange',
      `at most one of ${exclusive.map((bit) => `${2 ** bit} (${bits.get(bit)})`).join(', ')}`,
    );
  return { value: String(number) };
}
