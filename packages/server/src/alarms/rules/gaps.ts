import type { AlarmRule, Look } from '../rule.ts';

const WINDOW_MS = 7_200_000;
/** With nothing for as long as this before the window, the device was at rest and its time is not full yet. */
const REST_MS = 3_600_000;
/** Of fewer readings one that is missing would be much: the silence of a slow device says enough. */
const EXPECTED_AT_LEAST = 6;
const BAD_SHARE = 0.6;
const GOOD_SHARE = 0.85;

/** Share of the expected samples that arrived in the two hours up to a sample; undefined while those are not full, and of a slow device. */
function arrivedShare({ samples, expectedSeconds }: Look, index: number): number | undefined {
  const expected = WINDOW_MS / 1000 / expectedSeconds;
  if (expected < EXPECTED_AT_LEAST) return undefined;
  const fromAt = samples[index]!.at - WINDOW_MS;
  const before = lastUpTo(samples, fromAt);
  if (before < 0 || samples[before]!.at < fromAt - REST_MS) return undefined;
  return (index - before) / expected;
}

/** Index of the last sample up to an instant; -1 when there is none. */
function lastUpTo(samples: Look['samples'], at: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (samples[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export const communicationGaps: AlarmRule = {
  id: 'communicationGaps',
  code: 'H108',
  level: 1,
  advice: 'Look at the radio signal and the network of the collector.',
  kinds: ['inverter', 'epm', 'weather', 'ammeter'],
  raiseAfterSeconds: 0,
  clearAfterSeconds: 1800,
  judge(look, index) {
    const share = arrivedShare(look, index);
    if (share === undefined) return 'unclear';
    if (share < BAD_SHARE) return 'bad';
    return share >= GOOD_SHARE ? 'good' : 'unclear';
  },
  message: (look, index) => `${Math.round(arrivedShare(look, index)! * 100)} % of the readings of two hours arrived`,
};
