/** What a counter shows: day and time of June 2026 in UTC, and kWh. */
type Row = readonly [time: string, kwh: number];

/** Readings of one counter of a device in a plant of 10 kWp, in UTC, and what its days have yielded. */
export interface CounterScenario {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Energy of each day, kWh; `~` where estimated. */
  readonly days: Readonly<Record<string, string>>;
}

/** The instant of a row. */
export const instantOf = (time: string): number =>
  Date.parse(`2026-06-${time.replace(' ', 'T')}${time.length > 8 ? '' : ':00'}Z`);

/** An energy as scenarios show it, to a hundredth of a kWh. */
export const shown = (energy: { readonly kwh: number; readonly estimated: boolean }): string =>
  `${energy.estimated ? '~' : ''}${Math.round(energy.kwh * 100) / 100}`;

/** Of daily counters. */
export const dailyScenarios: readonly CounterScenario[] = [
  {
    name: 'read once each evening, it shows what each day has yielded',
    rows: [
      ['01 23:55:07', 20.5],
      ['02 23:55:03', 31.2],
      ['03 23:55:12', 8.4],
      ['04 23:55:01', 25],
      ['05 23:55:01', 25],
      ['06 23:55:40', 30.1],
      ['07 23:55:02', 12.2],
    ],
    days: { 1: '20.5', 2: '31.2', 3: '8.4', 4: '25', 5: '25', 6: '30.1', 7: '12.2' },
  },
  {
    name: 'read at exactly 00:00, it shows what the day before has yielded',
    rows: [
      ['02 00:00', 12.5],
      ['03 00:00', 13.1],
      ['04 00:00', 11],
      ['05 00:00', 11],
      ['06 00:00', 0.2],
      ['07 00:00', 0],
      ['08 00:00', 14],
    ],
    days: { 1: '12.5', 2: '13.1', 3: '11', 4: '11', 5: '0.2', 6: '0', 7: '14', 8: '0' },
  },
  {
    name: 'read once a week at 00:00, it shows what the day before has yielded',
    rows: [
      ['02 00:00', 12.5],
      ['09 00:00', 13.1],
      ['16 00:00', 11],
    ],
    days: { 1: '12.5', 2: '0', 8: '13.1', 9: '0', 15: '11', 16: '0' },
  },
  {
    name: 'not read at night, it has been reset in between',
    rows: [
      ['01 12:00', 0],
      ['01 20:00', 3],
      ['02 13:00', 10],
      ['02 20:00', 18],
    ],
    days: { 1: '3', 2: '18' },
  },
  {
    name: 'a late reset shows that what was read in the morning was still of the day before',
    rows: [
      ['01 10:00', 0],
      ['01 12:00', 3],
      ['02 06:00', 7.3],
      ['02 06:15', 7.3],
      ['02 06:30', 0],
      ['02 06:45', 0.1],
      ['02 20:00', 8],
    ],
    days: { 1: '7.3', 2: '8' },
  },
  {
    name: 'nor does it count what nobody has read on days before that',
    rows: [
      ['01 10:00', 0],
      ['01 12:00', 3],
      ['04 06:00', 7.3],
      ['04 06:15', 7.3],
      ['04 06:30', 0],
      ['04 06:45', 0.1],
      ['04 20:00', 8],
    ],
    days: { 1: '3', 4: '8' },
  },
  {
    name: 'the level of the evening is shown until the device wakes up, and is not counted again',
    rows: [
      ['01 05:00', 0],
      ['01 20:00', 20.5],
      ['02 05:00', 20.5],
      ['02 05:15', 20.5],
      ['02 05:30', 0],
      ['02 20:00', 9],
      ['02 20:15', 9],
    ],
    days: { 1: '20.5', 2: '9' },
  },
  {
    name: 'corrected downwards, it is no reset',
    rows: [
      ['01 18:00', 20],
      ['01 18:15', 19.8],
      ['01 18:30', 19.8],
      ['01 18:45', 19.9],
      ['01 19:00', 20.1],
      ['01 19:15', 20.3],
    ],
    days: { 1: '20.3' },
  },
  {
    name: 'nor is a single lower reading',
    rows: [
      ['01 18:00', 4],
      ['01 18:15', 3.5],
      ['01 18:30', 5],
    ],
    days: { 1: '5' },
  },
  {
    name: 'corrections early in the day are none either',
    rows: [
      ['01 22:00', 9],
      ['02 06:00', 0.5],
      ['02 07:00', 1.2],
      ['02 07:15', 0.9],
      ['02 07:30', 0.9],
      ['02 08:00', 1.4],
    ],
    days: { 1: '9', 2: '1.4' },
  },
  {
    name: 'reset a quarter of an hour before midnight, it counts what it shows then on the same day',
    rows: [
      ['01 12:00', 0.1],
      ['01 23:30', 20],
      ['01 23:45', 20.2],
      ['01 23:50', 0],
      ['01 23:55', 0.1],
      ['02 00:00', 0.2],
      ['02 00:15', 0.4],
      ['02 12:00', 9],
    ],
    days: { 1: '20.4', 2: '8.8' },
  },
  {
    name: 'reset seven minutes late, it goes on growing on the new day until then',
    rows: [
      ['01 12:00', 0.1],
      ['01 23:55', 20],
      ['02 00:00', 20.1],
      ['02 00:05', 20.2],
      ['02 00:10', 0.05],
      ['02 00:15', 0.15],
      ['02 12:00', 9],
    ],
    days: { 1: '20.1', 2: '9.1' },
  },
  {
    name: 'a single 0 or a stuck register changes nothing',
    rows: [
      ['01 10:00', 8],
      ['01 10:15', 0],
      ['01 10:30', 8.4],
      ['01 10:45', 655_350],
      ['01 11:00', 8.8],
      ['01 11:15', 8.4],
      ['01 11:30', 9],
    ],
    days: { 1: '9' },
  },
  {
    name: 'nor do three of them',
    rows: [
      ['01 10:00', 8],
      ['01 10:15', 0],
      ['01 10:20', 0],
      ['01 10:25', 0],
      ['01 10:30', 8.4],
      ['01 10:45', 655_350],
      ['01 10:50', 655_350],
      ['01 10:55', 655_350],
      ['01 11:00', 8.8],
      ['01 11:30', 9],
    ],
    days: { 1: '9' },
  },
  {
    name: 'hourly zeros that are over the next hour are no reset',
    rows: [
      ['01 12:00', 17],
      ['01 13:00', 18],
      ['01 14:00', 0],
      ['01 15:00', 0],
      ['01 16:00', 20],
      ['01 17:00', 20.5],
    ],
    days: { 1: '20.5' },
  },
  {
    name: 'a level of the evening that was shown until the morning is not counted, even if the next one is too high for a reset just then',
    rows: [
      ['01 05:00', 0],
      ['01 20:00', 39.5],
      ['02 05:00', 39.5],
      ['02 06:55', 39.5],
      ['02 07:00', 9.5],
      ['02 07:05', 9.6],
      ['02 20:00', 34],
    ],
    days: { 1: '39.5', 2: '34' },
  },
  {
    name: 'a device that shows the level of the evening and is not read again until it has grown anew is believed',
    rows: [
      ['01 05:00', 0],
      ['01 20:00', 20.5],
      ['02 05:00', 20.5],
      ['02 20:00', 8],
      ['02 20:15', 8.1],
    ],
    days: { 1: '20.5', 2: '8.1' },
  },
];

/** Of total counters. */
export const totalScenarios: readonly CounterScenario[] = [
  {
    name: 'read once a day, a level that the sun cannot have given is not believed',
    rows: [
      ['01 23:55', 350],
      ['02 23:55', 400],
      ['03 23:55', 655.35],
      ['04 23:55', 401],
      ['05 23:55', 430],
    ],
    days: { 2: '50', 3: '~0.5', 4: '~0.5', 5: '29' },
  },
  {
    name: 'nor one at noon',
    rows: [
      ['01 12:00', 350],
      ['02 12:00', 400],
      ['03 12:00', 655.35],
      ['04 12:00', 401],
      ['05 12:00', 430],
    ],
    days: { 1: '~25', 2: '~25.25', 3: '~0.5', 4: '~14.75', 5: '~14.5' },
  },
  {
    name: 'read every third day, three days of sun are believed, and no more',
    rows: [
      ['01 00:10', 1000],
      ['04 00:10', 1270],
      ['07 00:10', 1800],
      ['10 00:10', 1420],
    ],
    days: {
      1: '~90',
      2: '~90',
      3: '~90',
      4: '~25',
      5: '~25',
      6: '~25',
      7: '~25',
      8: '~25',
      9: '~25',
      10: '0',
    },
  },
  {
    name: 'nothing of this bounds what is read every hour',
    rows: [
      ['01 10:00', 1000],
      ['01 11:00', 1013],
      ['01 12:00', 1026],
    ],
    days: { 1: '26' },
  },
  {
    name: 'after eleven hours of silence, a small level is a reset, not the end of a range that was far away',
    rows: [
      ['01 17:00', 499.9],
      ['01 17:05', 500],
      ['02 04:05', 2],
      ['02 04:10', 2.1],
      ['02 04:15', 2.2],
    ],
    days: { 1: '2.1', 2: '0.2' },
  },
  {
    name: 'after thirty hours too',
    rows: [
      ['01 11:00', 499.9],
      ['01 12:00', 500],
      ['02 18:00', 29.9],
      ['02 18:05', 29.9],
    ],
    days: { 1: '~10.07', 2: '~19.93' },
  },
  {
    name: 'and from 700',
    rows: [
      ['01 11:00', 699.9],
      ['01 12:00', 700],
      ['02 18:00', 29.9],
      ['02 18:05', 29.9],
    ],
    days: { 1: '~10.07', 2: '~19.93' },
  },
  {
    name: 'growth across the end of its range belongs to the days of the gap',
    rows: [
      ['01 03:55', 99_950],
      ['01 04:00', 99_950],
      ['02 04:30', 29.91],
      ['02 04:35', 29.91],
      ['02 12:00', 54.91],
      ['02 20:00', 84.08],
    ],
    days: { 1: '79.91', 2: '54.17' },
  },
  {
    name: 'a zero at the end of a range is not its beginning',
    rows: [
      ['01 20:00', 648.15],
      ['01 20:15', 648.15],
      ['01 22:00', 0],
      ['01 22:15', 0],
      ['02 06:00', 0],
      ['02 07:00', 648.16],
      ['02 08:00', 649],
    ],
    days: { 1: '0', 2: '0.85' },
  },
  {
    name: 'what is counted while a counter reads 0 is not lost, however little',
    rows: [
      ['01 20:00', 862.06],
      ['01 20:15', 862.06],
      ['01 20:30', 0],
      ['01 20:45', 0],
      ['01 21:00', 862.07],
      ['01 21:15', 0],
      ['01 21:30', 0],
      ['01 21:45', 862.08],
    ],
    days: { 1: '0.02' },
  },
  {
    name: 'a fall to what cannot have flowed in five minutes is another device’s level',
    rows: [
      ['01 12:00', 512.4],
      ['01 12:05', 512.5],
      ['01 12:10', 3],
      ['01 12:15', 3.1],
      ['01 12:20', 3.2],
    ],
    days: { 1: '0.3' },
  },
  {
    name: 'read once a day, it rolls over as well',
    rows: [
      ['01 12:00', 99_900],
      ['02 12:00', 99_950],
      ['03 12:00', 20],
      ['04 12:00', 60],
      ['05 12:00', 110],
    ],
    days: { 1: '~25', 2: '~60', 3: '~55', 4: '~45', 5: '~25' },
  },
  {
    name: 'what earlier days were given since a reset is taken back when the old level is back on the same day',
    rows: [
      ['01 12:00', 462],
      ['01 17:00', 480],
      ['02 07:00', 12],
      ['02 07:15', 12.1],
      ['02 08:00', 481],
    ],
    days: { 1: '~18.2', 2: '~0.8' },
  },
  {
    name: 'or on a later one',
    rows: [
      ['01 12:00', 462],
      ['01 17:00', 480],
      ['02 07:00', 12],
      ['02 07:15', 12.1],
      ['03 12:00', 30],
      ['04 10:00', 520],
      ['04 10:15', 520],
    ],
    days: { 1: '~18.3', 2: '~17.64', 3: '~17.64', 4: '~4.41' },
  },
];
