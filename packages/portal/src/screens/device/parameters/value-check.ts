import type { Setting } from '../../../parts/settings/setting-texts.ts';

const SLOT = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const CLOCK = /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Fractions of steps such as 0.1 do not add up exactly. */
const isMultiple = (value: number, step: number): boolean =>
  Math.abs(value / step - Math.round(value / step)) < 1e-6;

/** Whether a value may be sent. The server decides; this spares people a round trip. */
export function isAllowed(
  { form, min = -Infinity, max = Infinity, step = 0, scale = 1, options = [] }: Setting,
  value: string,
): boolean {
  switch (form) {
    case 'number': {
      const number = Number(value) / scale;
      return (
        value !== '' &&
        number >= min &&
        number <= max &&
        (step === 0 || isMultiple(number - min, step))
      );
    }
    case 'choice':
      return options.some((one) => one.settable && one.value === value);
    case 'bits':
      return (
        Number(value) > 0 &&
        options.filter((one) => one.exclusive && (Number(value) & Number(one.value)) !== 0)
          .length <= 1
      );
    case 'clock':
      return CLOCK.test(value);
    case 'slot':
      return SLOT.test(value);
    case 'times': {
      const times = value.split(',');
      return times.every((time, i) => TIME.test(time) && (i === 0 || time > times[i - 1]!));
    }
    default:
      return value.trim() !== '';
  }
}
