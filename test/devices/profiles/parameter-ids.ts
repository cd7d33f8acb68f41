/** Values that a parameter takes, and texts that it must refuse. */
interface Expected {
  readonly takes: readonly string[];
  readonly refuses: readonly string[];
}

const percent: Expected = { takes: ['20', '100'], refuses: ['101', '-1', '20.5', 'x', ''] };
const switched: Expected = { takes: ['0', '1'], refuses: ['2', 'on', 'true', '01'] };
const slot: Expected = {
  takes: ['00:00-06:00', '23:30,05:30'],
  refuses: ['24:00-06:00', '1:00-06:00', '00:00', '00:00-06:00-07:00'],
};
const ampere: Expected = { takes: ['0', '50'], refuses: ['-1', '50.5', '301', '50 A'] };
const watt: Expected = { takes: ['0', '5000'], refuses: ['-1', '0.5', '1000001', '5kW'] };
const clock: Expected = {
  takes: ['2026-11-22 13:07:00'],
  refuses: [
    '2026-02-29 00:00:00',
    '2026-11-22',
    '2026-11-22T13:07:00',
    '1999-12-31 23:59:59',
    '2100-01-01 00:00:00',
  ],
};
const on: Expected = { takes: ['190'], refuses: ['222', '1', 'on'] };
const off: Expected = { takes: ['222'], refuses: ['190', '0', 'off'] };

const each = (ids: readonly number[], expected: Expected): Record<string, Expected> =>
  Object.fromEntries(ids.map((id) => [id, expected]));

/** Every id of the interface's list of parameters that can be written, copied by hand, with values. */
export const writable: Readonly<Record<string, Expected>> = {
  ...each([15], {
    takes: ['0', '110'],
    refuses: ['111', '-1', '50.5', 'fifty', '1e2', '0x10', ' 50', '050', '+5'],
  }),
  ...each([18, 56], clock),
  ...each([48, 52, 5161], on),
  ...each([53, 54, 5162], off),
  ...each([103], {
    takes: [
      '20,55,00:00-06:00,00:00-00:00,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      '20,55,00:00,06:00,00:00,00:00,0,0,12:00,16:00,00:00,00:00,0,0,00:00,00:00,00:00,00:00',
    ],
    refuses: [
      '20,55,00:00-06:00',
      '20,101,00:00-06:00,00:00-00:00,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      '20,-1,00:00-06:00,00:00-00:00,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      '20,55,00:00-06:00,00:00-00:00,0,0,12:00-16:60,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      '20,55.05,00:00-06:00,00:00-00:00,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      '020,55,00:00-06:00,00:00-00:00,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      ',55,00:00-06:00,00:00-00:00,0,0,12:00-16:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
    ],
  }),
  ...each([157, 158, 160, 469, 7229, 7963, 376], percent),
  ...each([158, 160, 469, 7229, 7963], { takes: ['5'], refuses: ['4', '0'] }),
  ...each([172], { takes: ['100'], refuses: ['0', '2001', '100Ah'] }),
  ...each([7224, 7226], ampere),
  ...each([230, 499], watt),
  ...each([636], {
    takes: [
      '1',
      '3',
      '5',
      '17',
      '33',
      '35',
      '37',
      '41',
      '43',
      '49',
      '51',
      '64',
      '80',
      '96',
      '98',
      '112',
    ],
    refuses: ['0', '65', '4096', '65536', '-1', '1.5', 'self-use'],
  }),
  ...each([543, 4754, 6962, 6968], switched),
  ...each([5916, 5917, 5918, 5919, 5920, 5921, 5922, 5923, 5924, 5925, 5926, 5927], switched),
  ...each([5928, 5929, 5930, 5931, 5932, 5933, 5965, 5969, 5973, 5977, 5981, 5984], percent),
  ...each([5946, 5949, 5952, 5955, 5958, 5961, 5964, 5968, 5972, 5976, 5980, 5987], slot),
  ...each([5948, 5951, 5954, 5957, 5960, 5963, 5967, 5971, 5975, 5979, 5983, 5986], ampere),
};

/** The ids that are only read: forms of the slots that nobody writes, a marker, and a switch whose values are not public. */
export const readable: readonly string[] = ['4643', '4644', '4692', '5007', '696', '6798'];
