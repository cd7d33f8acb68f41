import { an, ownRecords } from '../records/own.ts';
import { defineOperation } from '../operation.ts';

export interface ListedQuantity {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** Absent with `atMost` where it depends on the device. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

export const quantityList = defineOperation({
  family: 'installation',
  permission: 'read',
  id: 'quantity/list',
  write: false,
  doors: ['portal', 'operator'],
  own: true,
  summary: 'Lists the quantities that collectors may report, with units.',
  request: {},
  response: ownRecords<ListedQuantity>('a quantity', {
    name: an.text('its name in reports'),
    unit: an.text('its unit'),
    description: an.text('what it is'),
    atLeast: an.number('the lowest value that is believed; absent if it depends on the device'),
    atMost: an.number('the highest value that is believed; absent if it depends on the device'),
  }),
  errors: [],
  example: {
    request: {},
    data: [
      {
        name: 'batterySocPercent',
        unit: '%',
        description: 'state of charge',
        atLeast: 0,
        atMost: 100,
      },
    ],
  },
});
