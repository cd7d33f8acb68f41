import { an, ownRecords } from '../fields/own.ts';
import { defineOperation } from '../operation.ts';

export interface ListedQuantity {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
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
  }),
  errors: [],
  example: {
    request: {},
    data: [{ name: 'acPowerW', unit: 'W', description: 'AC power produced' }],
  },
});
