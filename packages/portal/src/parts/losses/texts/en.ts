import { lossWords } from '@helioport/contract/loss-words/en';

const en = {
  ...lossWords,
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
