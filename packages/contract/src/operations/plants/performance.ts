import { examplePlant } from '../../examples.ts';
import { defineOperation, QUERY_DOORS } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { answerWith, answers, recordExampleOf } from '../../records/kind.ts';
import { losses, visit } from '../../records/losses.ts';
import { performance, performanceDayRecord as ofDay } from '../../records/performance.ts';
import { choice, day, id, integer, month, year } from '../../scalars.ts';

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

/** The days of a month of a plant, or the months of a year. */
const daysOrMonths = {
  plantId,
  each: required(meaning('of what there is a row each', choice(['day', 'month'] as const, 'each'))),
  month: meaning('the month of which there are days; the current one by default', month('month')),
  year: meaning('the year of which there are months; the current one by default', year('year')),
};

export const performanceEnergy = defineOperation({
  ...common,
  id: 'performance/energy',
  summary:
    'Returns what a plant produced beside what the sun allowed, on each day of a month or in each month of a year.',
  description:
    'Figures of IEC 61724-1, from the irradiance that the plant’s weather station measured, or one of another plant of the same owner within 25 km. A period of which less than 95 % of the daylight is known has none. Months count days that are over.',
  request: daysOrMonths,
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

export const performanceLosses = defineOperation({
  ...common,
  id: 'performance/losses',
  summary:
    'Returns what a plant lost and why, on each day of a month or in each month of a year, up to yesterday.',
  description:
    'The losses add up to what was expected of the plant, and what its inverters had to cut off, less what it produced. What is left without a cause is unexplained, and may be less than nothing. A silent device has lost nothing if its counter has gone on; that is known once it reports again.',
  request: daysOrMonths,
  response: answers(losses),
  example: {
    request: { plantId: examplePlant.id, each: 'month', year: '2026' },
    data: [recordExampleOf(losses)],
  },
});

export const performanceVisits = defineOperation({
  ...common,
  id: 'performance/visits',
  summary:
    'Returns what a visit to each of the caller’s plants would bring: the losses that go on and can be put right.',
  description:
    'The loss of most energy in a year first. A loss counts if it was there on one of the last seven days with figures; what it costs in a year follows from its share in what was expected in the last 30 days.',
  request: {
    limit: meaning('at most so many; 50 by default', integer({ min: 1, max: 200 }, 'limit')),
  },
  errors: ['invalidValue'],
  response: answers(visit),
  example: { request: { limit: 50 }, data: [recordExampleOf(visit)] },
});
