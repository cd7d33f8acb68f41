import type { AlarmRule, Observation } from '../rule.ts';

const WINDOW_MS = 7_200_000;
/** If nothing arrived for this long before the window, the device was off, and the window is not yet full. */
const REST_MS = 3_600_000;
/** For devices slower than this, a single lost reading would weigh too much, and the rule about silence is enough. */
const SLOW_SECONDS = 1200;
/**
 * The pace at a reading is found from this many intervals before it and as many after it: the shortest interval on each side, whichever is longer. So
 * a change of pace does not look like loss.
 */
const NEIGHBOURS = 4;
const PACE_AT_LEAST_MS = 60_000;
const PACE_AT_MOST_MS = SLOW_SECONDS * 1000;
/** If a reading is late by less than this share of the pace, no reading counts as lost. */
const TREMBLE = 0.75;
const BAD_SHARE = 0.6;
const GOOD_SHARE = 0.85;

/** Share of the readings that arrived in the two hours up to a sample; undefined if the data does not yet cover both hours, and for slow devices. */
function arrivedShare(
  { samples, expectedSeconds }: Observation,
  index: number,
): number | undefined {
  if (expectedSeconds > SLOW_SECONDS) return undefined;
  const fromAt = samples[index]!.at - WINDOW_MS;
  const before = lastUpTo(samples, fromAt);
  if (before < 0 || samples[before]!.at < fromAt - REST_MS) return undefined;
  const arrived = index - before;
  let lost = 0;
  for (let i = before + 1; i <= index; i++) lost += lostBefore(samples, i, index, fromAt);
  return arrived / (arrived + lost);
}

/** How many readings were lost between a sample and the one before it, within the window. */
function lostBefore(
  samples: Observation['samples'],
  i: number,
  index: number,
  fromAt: number,
): number {
  const shortest = (first: number, last: number): number => {
    let shortestMs = PACE_AT_MOST_MS;
    for (let j = first; j <= last; j++)
      shortestMs = Math.min(shortestMs, samples[j]!.at - samples[j - 1]!.at);
    return shortestMs;
  };
  const paceMs = Math.max(
    shortest(Math.max(1, i - NEIGHBOURS + 1), i),
    shortest(i, Math.min(index, i + NEIGHBOURS - 1)),
    PACE_AT_LEAST_MS,
  );
  const distanceMs = samples[i]!.at - Math.max(fromAt, samples[i - 1]!.at);
  return Math.max(0, Math.ceil(distanceMs / paceMs - TREMBLE) - 1);
}

/** Index of the last sample up to an instant; -1 if there is none. */
function lastUpTo(samples: Observation['samples'], at: number): number {
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
  advice:
    'Check whether your internet works, and whether something new stands between router and collector. If that is not the cause, call your installer. For your installer: check the radio signal and the network of the collector.',
  kinds: ['inverter', 'epm', 'weather', 'ammeter'],
  raiseAfterSeconds: 0,
  clearAfterSeconds: 1800,
  judge(observation, index) {
    const share = arrivedShare(observation, index);
    if (share === undefined) return 'unclear';
    if (share < BAD_SHARE) return 'bad';
    return share >= GOOD_SHARE ? 'good' : 'unclear';
  },
  message: (observation, index) =>
    `${Math.round(arrivedShare(observation, index)! * 100)} % of the readings of the last two hours arrived`,
};
