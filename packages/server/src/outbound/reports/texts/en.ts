import type { ReportTexts } from './report-texts.ts';

export const en: ReportTexts = {
  share: (kwh, share, verdict) =>
    `The plant produced ${kwh}, ${share} of what the sun allowed: ${verdict}.`,
  onlyProduced: (kwh) => `The plant produced ${kwh}.`,
  nothing: 'Nothing was measured at this plant in this month.',
  verdicts: {
    normal: 'normal',
    low: 'less than it should have been',
    high: 'more than was to be expected',
  },
  missing: {
    arrays: 'What the sun allowed is not known: enter how the modules are mounted.',
    position: 'What the sun allowed is not known: enter the position of the plant.',
    irradiance: 'What the sun allowed is not known: no irradiance was measured.',
    clearDays:
      'What the sun allowed is not known: no irradiance was measured, and there were too few clear days to learn from.',
    gaps: 'What the sun allowed is not known: the irradiance has gaps.',
    production: 'What the plant produced is not known on enough days to compare it with the sun.',
  },
  fewDays: (days) =>
    `How much the sun allowed is known for too few days of the month to judge it (${days}).`,
  yearBefore: (share, kwh) => `That is ${share} of the ${kwh} on the same days of the year before.`,
  produced: 'Produced',
  expected: 'Expected',
  shareName: 'Share of expected',
  yearBeforeName: 'The year before',
  worth: 'Saved + sold',
  lost: 'Lost',
  lostWorth: 'Value of known losses',
  ratio: 'Performance ratio',
  availability: 'Availability of inverters',
  days: 'Days, kWh',
  losses: 'Losses by cause',
  cause: 'Cause',
  device: 'Device',
  certainty: 'Certainty',
  energy: 'Energy',
  value: 'Value',
  noLosses: 'No losses are known.',
  openAlarms: 'Open alarms',
  alarm: 'Alarm',
  noAlarms: 'No alarm is open.',
  visits: 'What a visit would bring',
  since: 'Since',
  energyPerYear: 'A year',
  valuePerYear: 'Value a year',
  noVisits: 'Nothing that a visit would put right.',
  uncertainty: (percent, days) =>
    `Expected and share are of the ${days} days of which enough is known; what was expected may be wrong by ${percent}.`,
  unexplained: 'Unexplained is what is left; it contains the error of the expectation.',
  pending: (days) => `The losses of ${days} days are still being worked out.`,
  service: 'The irradiance comes from a weather service.',
  today: 'Alarms and visits are as of today. Figures end with yesterday.',
  lacking:
    'A question mark stands for what cannot be printed here; the page of the portal prints it.',
  page: (page, pages) => `Page ${page} of ${pages}`,
};
