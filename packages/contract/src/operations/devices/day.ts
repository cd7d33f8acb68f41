import { exampleAmmeter } from '../../examples.ts';
import { ownRecord } from '../../fields/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import type { QuantityName } from '../../quantities.ts';
import { dayOfChart } from '../../requests.ts';
import { id } from '../../scalars.ts';

/** What a device measured on a day of its plant, as columns of equal length. */
export interface DeviceDay {
  /** Times of the readings, ascending. */
  readonly times: readonly number[];
  /** Quantities that it measured on that day, by name, each in its own unit; null where a reading has no value. */
  readonly values: { readonly [Name in QuantityName]?: readonly (number | null)[] };
}

const record = ownRecord<DeviceDay>('the readings of a day', {
  times: {
    type: 'array',
    items: { type: 'integer' },
    description: 'times of the readings, ascending',
    'x-unit': 'ms',
  },
  values: {
    type: 'object',
    description:
      'a list for each quantity that was measured, as long as `times`; null where a reading has no value',
  },
});

const EXAMPLE_AT = 1_793_963_100_000;

export const deviceDay = defineOperation({
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
  id: 'device/day',
  summary: 'Returns everything that a device of any kind measured on one day of its plant.',
  description:
    'At most 2,880 readings for each stay of the device in the plant: of more, the last of each 30 s.',
  request: { id: required(meaning('id of the device', id('id'))), day: dayOfChart },
  response: record,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { id: exampleAmmeter.id, time: '2026-11-06' },
    data: {
      times: [EXAMPLE_AT, EXAMPLE_AT + 300_000],
      values: { gridPowerW: [-700, 1250], gridFrequencyHz: [50.01, null] },
    },
  },
});
