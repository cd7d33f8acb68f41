import { exampleInverter, examplePlant } from '../examples.ts';
import { an } from './an.ts';
import { listOfRecords, maybe, record, type InOf, type Kind } from './kind.ts';

/** What has to be known before anything can be expected of a plant. */
export const missingWords = [
  'arrays',
  'position',
  'irradiance',
  'clearDays',
  'gaps',
  'production',
] as const;

/** What a plant delivered in a period, beside what it should have. */
export const performance = record(
  'what a plant delivered in a period, beside what it should have',
  {
    plantId: an.text('id of the plant', examplePlant.id),
    day: an.day('first day of the period, yyyymmdd', 20_261_101),
    producedKwh: maybe(an.kwh('energy produced on the days that count', 61.2)),
    expectedKwh: maybe(
      an.kwh(
        'energy that the sun allowed on those days, less the losses of a plant without faults',
        65.1,
      ),
    ),
    sharePercent: maybe(an.percent('the energy produced, as a share of the expected', 94)),
    uncertaintyPercent: maybe(
      an.percent('by how much the expected energy may be wrong, with 95 % confidence', 7.3),
    ),
    verdict: maybe(
      an.word(
        ['normal', 'low', 'high'],
        'whether the share is within that uncertainty of 100 %, below or above',
        'normal',
      ),
    ),
    method: maybe(
      an.word(
        ['plane', 'global', 'service', 'learned', 'mixed'],
        'whether the irradiance was measured in the plane of the modules, calculated from the global irradiance or told by a weather service, what is expected was learned from the inverters’ own clear days and from what others made of the same sky, or several of these in turn',
        'plane',
      ),
    ),
    licence: maybe(
      an.text(
        'what the weather service asks to be said where the figures are shown',
        'Weather data by Example',
      ),
    ),
    stationKm: maybe(
      an.number(
        'to the weather station, or to the farthest inverter that told of the sky: 0 = the plant’s own',
        0,
      ),
    ),
    days: an.number('days that count: those of which at least 95 % of the daylight is known', 29),
    coveragePercent: maybe(an.percent('share of the daylight of the period on those days', 98.4)),
    capacityKwp: maybe(an.kwp('rated power of the arrays', 9.84)),
    referenceYieldHours: maybe(
      an.hours('reference yield: irradiation in the plane of the modules by 1 kW/m²', 7.4),
    ),
    finalYieldHours: maybe(an.hours('final yield: energy produced by the rated power', 6.22)),
    performanceRatioPercent: maybe(
      an.percent('performance ratio: the final yield by the reference yield', 84),
    ),
    correctedRatioPercent: maybe(
      an.percent('performance ratio, corrected to modules at 25 °C', 82.9),
    ),
    clippedKwh: maybe(
      an.kwh('energy that the inverters cannot deliver because of their rated power', 0.4),
    ),
    missing: maybe(
      an.word(
        missingWords,
        'why nothing is expected: arrays or the position is unknown; nothing is known of the sky; too few clear days are known to learn from; what is known has gaps; or the production is unknown',
      ),
    ),
  },
);
export type Performance = InOf<typeof performance>;

/** An inverter on one day, beside what it should have delivered. */
export const devicePerformance = record('an inverter, beside what it should have delivered', {
  sn: an.text('serial number of the inverter', exampleInverter.sn),
  expectedKwh: an.kwh('energy that the sun allowed', 31.4),
  producedKwh: maybe(an.kwh('energy produced', 29.8)),
  sharePercent: maybe(an.percent('the energy produced, as a share of the expected', 94.9)),
  arrayYieldHours: maybe(an.hours('array yield: DC energy by the rated power of its arrays', 6.4)),
  timeAvailabilityPercent: maybe(
    an.percent('share of the time with enough light in which it delivered power', 100),
  ),
  energyAvailabilityPercent: maybe(
    an.percent('share of the expected energy that belongs to that time', 100),
  ),
});
export type DevicePerformance = InOf<typeof devicePerformance>;

type Column = readonly (number | null)[];

const column = (description: string, example: Column): Kind<Column> => ({
  schema: { type: 'array', items: { type: ['number', 'null'] }, description },
  example,
});

/** A day of a plant in steps of 15 minutes. */
export const performanceDayRecord = record('a day of a plant in steps of 15 minutes', {
  figures: performance,
  times: listOfRecords(
    'beginnings of the steps',
    an.instant('beginning of a step', 1_793_962_800_000),
  ),
  expectedW: column('expected AC power, W; null where the irradiance is unknown', [4310]),
  lowW: column('the least that it may have been, W', [3995]),
  highW: column('the most, W', [4625]),
  producedW: column('AC power produced, W; null where it was not measured', [4102]),
  devices: listOfRecords('the inverters', devicePerformance),
});
export type PerformanceDay = InOf<typeof performanceDayRecord>;
