import type { QuantityName } from '@helioport/contract';
import type { AlarmRule } from '../rule.ts';

/** Temperatures outside this range come from a broken sensor, since the device still reports. °C. */
const PLAUSIBLE = { from: -60, to: 150 };

interface Heat {
  readonly quantity: QuantityName;
  readonly what: string;
  /** Too hot from `bad` upwards, normal again from `good` downwards, °C. */
  readonly bad: number;
  readonly good: number;
}

const tooHot = (
  rule: Pick<AlarmRule, 'id' | 'code' | 'level' | 'advice'>,
  { quantity, what, bad, good }: Heat,
): AlarmRule => ({
  ...rule,
  kinds: ['inverter'],
  raiseAfterSeconds: 900,
  clearAfterSeconds: 900,
  judge({ samples }, index) {
    const celsius = samples[index]!.values[quantity];
    if (celsius === undefined || celsius < PLAUSIBLE.from || celsius > PLAUSIBLE.to)
      return 'unclear';
    if (celsius >= bad) return 'bad';
    return celsius <= good ? 'good' : 'unclear';
  },
  message: ({ samples }, index) =>
    `${what} ${samples[index]!.values[quantity]!.toFixed(1)} °C is too high`,
});

export const deviceTemperature = tooHot(
  {
    id: 'deviceTemperature',
    code: 'H106',
    level: 2,
    advice:
      'Check whether the sun shines on the housing, or something covers its air inlets; the inverter reduces its power by itself. If it persists, call your installer. For your installer: check the fan.',
  },
  { quantity: 'temperatureC', what: 'the device temperature of', bad: 85, good: 78 },
);

export const batteryTemperature = tooHot(
  {
    id: 'batteryTemperature',
    code: 'H107',
    level: 3,
    advice: 'Stop charging, keep away from the battery and call its installer.',
  },
  { quantity: 'batteryTemperatureC', what: 'the battery temperature of', bad: 55, good: 50 },
);
