import { exampleInverter, examplePlant } from '../examples.ts';
import { an } from './an.ts';
import { listOfRecords, maybe, record, type InOf } from './kind.ts';
import { missingWords } from './performance.ts';

/** Why a plant produced less than the sun allowed. docs/performance.md says how each is recognised. */
export const lossCauses = [
  'silent',
  'standstill',
  'grid',
  'limit',
  'exportLimit',
  'clipping',
  'string',
  'lag',
  'snow',
  'unexplained',
] as const;
export type LossCause = (typeof lossCauses)[number];

export const lossConfidences = ['high', 'medium', 'low'] as const;
export type LossConfidence = (typeof lossConfidences)[number];

/** What a cause was recognised by. */
const evidence = {
  input: maybe(an.number('number of the DC input that lags behind', 2)),
  sharePercent: maybe(
    an.percent('what an inverter or input delivered, as a share of what its siblings say', 64),
  ),
  limitW: maybe(an.watts('the limit in force', 3000)),
  setBy: maybe(an.text('who set the limit, as in the audit trail', 'account:1300000000000000001')),
  setAt: maybe(an.instant('when', 1_793_962_800_000)),
  parameter: maybe(an.text('parameter by which it was set', '15')),
  alarmCode: maybe(an.text('code of the alarm that says so', 'H104')),
  coldestC: maybe(an.number('lowest temperature of the air on the day, °C', -3)),
};

const cause = an.word(
  lossCauses,
  'why: a device did not report, stood still while others produced or the sun shone, voltage or frequency of the grid was out of range, its power was limited, feeding in was limited, its rated power was reached, a DC input or the inverter lagged behind its siblings, snow, or unexplained',
  'limit',
);
const confidence = an.word(lossConfidences, 'how certain the cause is', 'high');
const amount = maybe(an.money('their value at the prices in force at each hour', 1.37));

/** Energy that was lost for one reason. */
export const loss = record('energy that was lost for one reason', {
  cause,
  sn: maybe(an.text('serial number of the inverter; absent: the whole plant', exampleInverter.sn)),
  kwh: an.kwh('energy lost; less than 0 of what is unexplained: more than was expected', 12.4),
  amount,
  confidence,
  days: an.number('days on which it was lost', 3),
  ...evidence,
});
export type Loss = InOf<typeof loss>;

/** What a plant lost in a period, and why. */
export const losses = record('what a plant lost in a period, and why', {
  plantId: an.text('id of the plant', examplePlant.id),
  day: an.day('first day of the period, yyyymmdd', 20_261_101),
  days: an.number('days that count: those of which at least 95 % of the daylight is known', 29),
  pendingDays: maybe(an.number('days that are yet to be worked out', 2)),
  expectedKwh: maybe(an.kwh('energy that the sun allowed on those days', 265.1)),
  clippedKwh: maybe(an.kwh('energy beyond that, which the inverters’ rated power cuts off', 0.4)),
  producedKwh: maybe(an.kwh('energy produced', 251.2)),
  lostKwh: maybe(
    an.kwh('expected and cut-off energy less what was produced: the sum of the losses', 14.3),
  ),
  lostAmount: maybe(an.money('the value of the losses whose cause is known', 1.37)),
  currency: an.text('currency of the amounts', 'EUR'),
  uncertaintyPercent: maybe(
    an.percent('by how much the expected energy may be wrong, with 95 % confidence', 7.3),
  ),
  timeAvailabilityPercent: maybe(
    an.percent('share of the time with enough light in which the inverters delivered power', 99.2),
  ),
  energyAvailabilityPercent: maybe(
    an.percent('share of the expected energy that belongs to that time', 99.5),
  ),
  losses: listOfRecords('the losses, the largest first', loss),
  missing: maybe(an.word(missingWords, 'why nothing is expected, as in performance/energy')),
});
export type Losses = InOf<typeof losses>;

/** What a visit to a plant would bring. */
export const visit = record('what a visit to a plant would bring', {
  plantId: an.text('id of the plant', examplePlant.id),
  plantName: an.text('name of the plant', examplePlant.name),
  cause,
  sn: maybe(an.text('serial number of the inverter; absent: the whole plant', exampleInverter.sn)),
  kwhPerYear: an.kwh('energy that is lost in a year if nothing changes', 840),
  amountPerYear: maybe(an.money('its value at the mean price of what was lost', 92.4)),
  currency: an.text('currency of the amounts', 'EUR'),
  lostKwh: an.kwh('energy lost since then', 61),
  lostAmount: maybe(an.money('its value', 6.7)),
  since: an.day('first day of the loss, yyyymmdd', 20_261_012),
  days: an.number('days on which it was lost', 19),
  confidence,
  ...evidence,
});
export type PlantVisit = InOf<typeof visit>;
