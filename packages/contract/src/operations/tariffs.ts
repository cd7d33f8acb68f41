import { examplePlant } from '../examples.ts';
import { an, ownRecord, ownRecords } from '../records/own.ts';
import { defineOperation } from '../operation.ts';
import { meaning, required } from '../parameters.ts';
import { choice, id, number, objects, textInput } from '../scalars.ts';

const common = {
  family: 'tariffs',
  permission: 'manage',
  doors: ['portal', 'operator'],
  own: true,
} as const;
const errors = ['missingParameter', 'invalidValue', 'noPermission'] as const;

/** The uses of a price: for energy produced (income), bought (cost) or sold (income). */
export const tariffUses = ['production', 'import', 'export'] as const;
export type TariffUse = (typeof tariffUses)[number];

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type WeekDay = (typeof weekDays)[number];

/** Hours of the plant's wall clock with a price of their own. A window that ends before it begins extends into the next day. */
export interface TariffWindow {
  /** Days on which the window begins; by default, all. */
  readonly days?: readonly WeekDay[];
  /** Months in which the window begins, 1 to 12; by default, all. */
  readonly months?: readonly number[];
  /** Beginning and end, `HH:MM`; the end is excluded and may be `24:00`. */
  readonly start: string;
  readonly end: string;
  readonly pricePerKwh: number;
}

const BEGIN =
  'a day such as 2026-01-01 (its midnight at the plant), an instant such as 2026-01-01T12:00:00Z, or beginning';

const plantId = required(meaning('id of the plant', id('plantId')));
const use = required(meaning('what the price is for', choice(tariffUses, 'use')));
const begin = textInput(40, 'from');

export interface TariffRecord {
  readonly use: TariffUse;
  readonly fromAt: number;
  /** `fromAt` on the plant's wall clock. */
  readonly fromText: string;
  readonly pricePerKwh: number;
  readonly windows?: readonly TariffWindow[];
}

const fields = {
  use: an.text('what the price is for'),
  fromAt: an.instant('when the tariff begins; 0: from the beginning'),
  fromText: an.text('when the tariff begins, on the plant’s wall clock'),
  pricePerKwh: an.number('price per kWh outside of all windows, in the plant’s currency'),
  windows: an.objects('hours with prices of their own'),
};

export const tariffList = defineOperation({
  ...common,
  permission: 'read',
  id: 'tariff/list',
  write: false,
  summary: 'Lists the tariffs of a plant.',
  request: { plantId },
  response: ownRecords<TariffRecord>('a tariff', fields),
  errors,
  example: {
    request: { plantId: examplePlant.id },
    data: [{ use: 'production', fromAt: 0, fromText: 'the beginning', pricePerKwh: 0.082 }],
  },
});

export const tariffSet = defineOperation({
  ...common,
  id: 'tariff/set',
  write: true,
  summary: 'Sets a tariff that begins in the past or the future.',
  description:
    'Before the earliest tariff, energy has no price; one from `beginning` covers all time. Affected energy and money are recalculated in the background.',
  request: {
    plantId,
    use,
    from: meaning(`when the tariff begins: ${BEGIN}; by default, now`, begin),
    pricePerKwh: required(meaning('price per kWh', number({}, 'pricePerKwh'))),
    windows: meaning(
      'hours with prices of their own; the first one that applies counts',
      objects(100, 'a list of objects with start, end, pricePerKwh, days and months', 'windows'),
    ),
  },
  response: ownRecord<TariffRecord>('the tariff', fields),
  errors,
  example: {
    request: { plantId: examplePlant.id, use: 'production', from: 'beginning', pricePerKwh: 0.082 },
    data: { use: 'production', fromAt: 0, fromText: 'the beginning', pricePerKwh: 0.082 },
  },
});

export const tariffRemove = defineOperation({
  ...common,
  id: 'tariff/remove',
  write: true,
  summary: 'Removes a tariff; the previous tariff then stays in force.',
  request: {
    plantId,
    use,
    from: required(meaning(`when the tariff to remove begins: ${BEGIN}`, begin)),
  },
  response: ownRecord<Pick<TariffRecord, 'use' | 'fromAt' | 'fromText'>>('the removed tariff', {
    use: fields.use,
    fromAt: fields.fromAt,
    fromText: fields.fromText,
  }),
  errors,
  example: {
    request: { plantId: examplePlant.id, use: 'production', from: 'beginning' },
    data: { use: 'production', fromAt: 0, fromText: 'the beginning' },
  },
});

export const plantRecalculate = defineOperation({
  ...common,
  doors: ['operator'],
  id: 'plant/recalculate',
  write: true,
  summary: 'Recalculates energy and money from the readings, in the background.',
  request: {
    plantId,
    from: meaning(`time from which to recalculate: ${BEGIN}; by default, the beginning`, begin),
  },
  response: ownRecord<{ readonly fromAt: number; readonly devices: number }>(
    'what is recalculated',
    {
      fromAt: an.instant('time from which energy and money are recalculated'),
      devices: an.number('number of devices'),
    },
  ),
  errors,
  example: { request: { plantId: examplePlant.id }, data: { fromAt: 0, devices: 3 } },
});
