import { an } from '../../records/an.ts';
import { curves, energyDay } from '../../records/charts.ts';
import {
  answerWith,
  answers,
  recordExampleOf,
  maybe,
  record,
  type InOf,
} from '../../records/kind.ts';
import { plant, plantStates } from '../../records/plants.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice, day, id, month, year } from '../../scalars.ts';

const common = {
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
} as const;

const plantId = required(meaning('id of the plant', id('plantId')));
const request = { plantId: plant.example.id };

const shown = record('a plant with its current figures', {
  ...plant.properties,
  state: an.word(plantStates, 'state; building as long as it has no devices', 'online'),
  level: an.word(['owner', 'install', 'control', 'read'], 'what the caller may do', 'owner'),
  recordedSince: maybe(an.text('the first day with readings, in its calendar', '2022-04-15')),
  recalculating: maybe(
    an.flag('whether some of its energies are of before, since they are being recalculated'),
  ),
  readingRetention: maybe(
    an.text('after how many days its readings are deleted; unknown: never', '400d'),
  ),
  readingThinning: maybe(
    an.text(
      'after how many days its readings are thinned, and to one in how many minutes; unknown: never',
      '90d:15m',
    ),
  ),
  recordedKwh: maybe(an.kwh('energy produced since then', 21_480.774)),
  avoidedCo2Kg: maybe(
    an.kg('CO2 avoided by all energy produced, at 0.475 kg/kWh (world average, IEA)', 10_203.4),
  ),
  treeYears: maybe(an.number('trees that absorb it within a year, at 18.3 kg per tree', 557.6)),
});
export type ShownPlant = InOf<typeof shown>;

export const plantShow = defineOperation({
  ...common,
  id: 'plant/show',
  summary: 'Returns a plant with its current figures.',
  request: { plantId },
  response: answerWith(shown),
  example: { request, data: recordExampleOf(shown) },
});

export const plantDay = defineOperation({
  ...common,
  id: 'plant/day',
  summary: 'Returns what a plant did on one of its days, every five minutes.',
  description: 'Sums over the plant’s devices. Points without any reading are left out.',
  request: { plantId, day: meaning('the plant’s local day; today by default', day('day')) },
  response: answerWith(curves),
  example: { request: { ...request, day: '2026-11-06' }, data: recordExampleOf(curves) },
});

export const plantEnergy = defineOperation({
  ...common,
  id: 'plant/energy',
  summary:
    'Returns the energy of a plant, and what it was worth, on each day of a month, in each month of a year, or in each year.',
  request: {
    plantId,
    each: required(
      meaning('of what there is a row each', choice(['day', 'month', 'year'] as const, 'each')),
    ),
    month: meaning('the month of which there are days; the current one by default', month('month')),
    year: meaning('the year of which there are months; the current one by default', year('year')),
  },
  response: answers(energyDay),
  example: {
    request: { ...request, each: 'day', month: '2026-11' },
    data: [recordExampleOf(energyDay)],
  },
});
