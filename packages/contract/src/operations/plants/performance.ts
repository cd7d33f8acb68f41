import { examplePlant } from '../../examples.ts';
import { defineOperation, QUERY_DOORS } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { answerWith, answers, recordExampleOf } from '../../records/kind.ts';
import { performance, performanceDayRecord as ofDay } from '../../records/performance.ts';
import { choice, day, id, month, year } from '../../scalars.ts';

const common = {
  family: 'plants',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
  own: true,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
} as const;

const plantId = required(meaning('id of the plant', id('plantId')));

export const performanceEnergy = defineOperation({
  ...common,
  id: 'performance/energy',
  summary:
    'Returns what a plant produced beside what the sun allowed, on each day of a month or in each month of a year.',
  description:
    'Figures of IEC 61724-1, from the irradiance that the plant’s weather station measured, or one of another plant of the same owner within 25 km. A period of which less than 95 % of the daylight is known has none. Months count days that are over.',
  request: {
    plantId,
    each: required(
      meaning('of what there is a row each', choice(['day', 'month'] as const, 'each')),
    ),
    month: meaning('the month of which there are days; the current one by default', month('month')),
    year: meaning('the year of which there are months; the current one by default', year('year')),
  },
  response: answers(performance),
  example: {
    request: { plantId: examplePlant.id, each: 'month', year: '2026' },
    data: [recordExampleOf(performance)],
  },
});

export const performanceDay = defineOperation({
  ...common,
  id: 'performance/day',
  summary:
    'Returns the power that the sun allowed a plant on one of its days, every 15 minutes, and what its inverters made of it.',
  description:
    'Of today, what is over. Without arrays, position or irradiance, it says what is missing.',
  request: { plantId, day: meaning('the plant’s local day; today by default', day('day')) },
  response: answerWith(ofDay),
  example: {
    request: { plantId: examplePlant.id, day: '2026-11-06' },
    data: recordExampleOf(ofDay),
  },
});
