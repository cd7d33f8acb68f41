import type { LossCause, LossConfidence } from '@helioport/contract';

const en = {
  causes: {
    silent: 'Not reporting',
    standstill: 'Inverter down',
    grid: 'Grid out of range',
    limit: 'Power limited',
    exportLimit: 'Feed-in limited',
    clipping: 'Clipped at rated power',
    string: 'Weak DC input',
    lag: 'Behind other inverters',
    snow: 'Snow',
    unexplained: 'Unexplained',
  } satisfies Record<LossCause, string> as Record<LossCause, string>,
  confidences: { high: 'certain', medium: 'probable', low: 'possible' } satisfies Record<
    LossConfidence,
    string
  > as Record<LossConfidence, string>,
  inverter: (sn: string) => `inverter ${sn}`,
  limitOf: (power: string) => `limit of ${power}`,
  setBy: {
    person: 'set by a person',
    program: 'set by an application',
    operator: 'set by the operator',
    other: 'set',
  },
  on: (who: string, day: string) => `${who} on ${day}`,
  input: (input: string, share: string) => `input ${input} delivers ${share} of what it should`,
  share: (share: string) => `delivers ${share} of what it should`,
  alarm: (code: string) => `alarm ${code}`,
  coldest: (temperature: string) => `lowest air temperature ${temperature}`,
  days: (count: number, shown: string) => (count === 1 ? 'on 1 day' : `on ${shown} days`),
};
export type Texts = typeof en;
export default en;
