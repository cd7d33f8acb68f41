import { examplePlant } from '../../examples.ts';
import { an, ownRecord } from '../../records/own.ts';
import type { Maybe } from '../../compat/field-kinds/field.ts';
import { defineOperation } from '../../operation.ts';
import { meaning } from '../../parameters.ts';
import { id } from '../../scalars.ts';
import { FEW_PLANTS } from './overview.ts';

/** What plants produced this month and this year, on days that are over, and on the same days of the year before, kWh. */
export interface YearBefore {
  readonly monthKwh?: Maybe<number>;
  readonly monthBeforeKwh?: Maybe<number>;
  readonly yearKwh?: Maybe<number>;
  readonly yearBeforeKwh?: Maybe<number>;
}

export const plantYearBefore = defineOperation({
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
  id: 'plant/yearBefore',
  summary:
    'Compares what plants produced this month and this year with the same days of the year before.',
  description: `Of one plant, or of all that the caller owns or that are shared with the caller, if they are ${FEW_PLANTS} or fewer. Days that are over are compared, in each plant’s calendar. Plants whose records do not reach back to the beginning of the earlier period are left out of both figures; without any, the figures are unknown.`,
  request: { plantId: meaning('a plant; all of them without it', id('plantId')) },
  response: ownRecord<YearBefore>('the two periods', {
    monthKwh: an.number('energy produced this month, on days that are over'),
    monthBeforeKwh: an.number('energy produced on the same days a year before'),
    yearKwh: an.number('energy produced this year, on days that are over'),
    yearBeforeKwh: an.number('energy produced on the same days a year before'),
  }),
  errors: ['invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id },
    data: { monthKwh: 96.4, monthBeforeKwh: 88.1, yearKwh: 8172.7, yearBeforeKwh: 8420.3 },
  },
});
