import { GAP_MS, limitMwh, type EnergyCounter, type CounterLimits } from './counter.ts';
import type { DayRules } from './day-rules.ts';
import type { ChannelState, DayState, DaySample } from './day-state.ts';
import { mwhOf, POWER_END_W } from './energy-day.ts';
import type { ChannelFields } from './field-list.ts';
import { areaBetween } from './power-trace.ts';

/** Late samples between two adjacent ones of a day. */
interface Insertion {
  /** The samples before and after, with the late ones between them; ascending. */
  readonly chain: readonly DaySample[];
  /** The sample before all of these. */
  readonly before: DaySample;
}

/**
 * Adds late samples to a day from the samples around them alone; both lists are ascending. `known` must contain the two samples before and the one after
 * each late one. The result is the one of a fold of all samples. Undefined if it may depend on others: unless everything goes on evenly
 * around the late ones, they may change what earlier or later readings say.
 */
export function insertSamples(
  state: DayState,
  known: readonly DaySample[],
  late: readonly DaySample[],
  rules: DayRules,
): DayState | undefined {
  if (!state.isSteady || state.channels.some((channel) => channel?.total?.opening))
    return undefined;
  const insertions = insertionsOf(known, late);
  const beginAt = Math.max(rules.startAt, rules.sinceAt);
  if (
    !insertions?.every(
      (one) =>
        one.before.at >= beginAt && one.chain.at(-1)!.at <= state.last.at && isEven(one, rules),
    )
  )
    return undefined;
  const channels = state.channels.map(
    (channel, number) => channel && withAreas(channel, number, insertions),
  );
  if (!channels.every((channel) => !channel?.power || Number.isSafeInteger(channel.power.areaWms)))
    return undefined;
  return { ...state, ...peakWith(state, late), samples: state.samples + late.length, channels };
}

/** Undefined if samples around the late ones are missing, or one is of the same instant. */
function insertionsOf(
  known: readonly DaySample[],
  late: readonly DaySample[],
): Insertion[] | undefined {
  const insertions: Insertion[] = [];
  let next = 0;
  for (let i = 0; i < late.length;) {
    while (next < known.length && known[next]!.at < late[i]!.at) next += 1;
    const after = known[next];
    if (next < 2 || !after) return undefined;
    const chain = [known[next - 1]!];
    while (i < late.length && late[i]!.at < after.at) chain.push(late[i++]!);
    if (chain.length === 1) return undefined;
    chain.push(after);
    insertions.push({ chain, before: known[next - 2]! });
  }
  return insertions;
}

/** Whether each sample has the same quantities, power in bounds, and counters that do not fall. */
function isEven({ chain, before }: Insertion, rules: DayRules): boolean {
  const { fields } = before;
  if (chain.some((sample) => sample.fields !== fields || sample.values.some(Number.isNaN)))
    return false;
  return fields.channels.every((source) => {
    const { channel, power, today, total } = source;
    if (rules.prices.steps[channel]) return false;
    if (power >= 0 && chain.some(({ values }) => Math.abs(values[power]!) > POWER_END_W))
      return false;
    return (
      (today < 0 || growsEvenly(chain, before, today, rules.limits.today[channel]!)) &&
      (total < 0 || growsEvenly(chain, before, total, rules.limits.total[channel]!))
    );
  });
}

/**
 * Whether a counter's growth is the same with and without the late samples. Whatever was before, two levels that do not fall leave the counter at the
 * second one (in a steady day), or above it by no more than jitter. Then it goes on with the levels after it, unless it may return to one that it had
 * left for 0.
 */
function growsEvenly(
  chain: readonly DaySample[],
  before: DaySample,
  index: number,
  { limitW, daily }: CounterLimits,
): boolean {
  const follows = (from: DaySample, to: DaySample): boolean => {
    const [low, high] = [mwhOf(from.values, index), mwhOf(to.values, index)];
    return low >= 0 && high >= low && high - low <= limitMwh(limitW, to.at - from.at);
  };
  const last = chain.length - 1;
  const zeros = [before, ...chain].filter(({ values }) => values[index] === 0).length;
  // A total counter's 0 is not a level, unless it has never shown another one.
  if (!daily && zeros > 0 && zeros <= chain.length) return false;
  return (
    follows(before, chain[0]!) &&
    follows(chain[0]!, chain[last]!) &&
    chain.every(
      (sample, i) =>
        i === 0 ||
        (follows(chain[i - 1]!, sample) &&
          (i === last || chain[i - 1]!.values[index] !== 0 || sample.values[index] === 0)),
    )
  );
}

function withAreas(
  channel: ChannelState,
  number: number,
  insertions: readonly Insertion[],
): ChannelState {
  const { power, total, today } = channel;
  if (!power) return channel;
  let areaWms = 0;
  const baseWms = { total: 0, today: 0 };
  for (const { chain } of insertions) {
    const source = chain[0]!.fields.channels.find((one) => one.channel === number);
    if (!source || source.power < 0) continue;
    const addedWms = areaOf(source, chain) - areaOf(source, [chain[0]!, chain.at(-1)!]);
    areaWms += addedWms;
    const untilAt = chain.at(-1)!.at;
    if (total && total.baseAt >= untilAt) baseWms.total += addedWms;
    if (today && today.baseAt >= untilAt) baseWms.today += addedWms;
  }
  if (areaWms === 0 && baseWms.total === 0 && baseWms.today === 0) return channel;
  const added = (counter: EnergyCounter | undefined, wms: number): EnergyCounter | undefined =>
    counter && { ...counter, baseWms: counter.baseWms + wms };
  return {
    ...channel,
    power: { ...power, areaWms: power.areaWms + areaWms },
    total: added(total, baseWms.total),
    today: added(today, baseWms.today),
  };
}

/** The integral of a channel's power over samples, W x ms. */
function areaOf({ power, sign }: ChannelFields, chain: readonly DaySample[]): number {
  const wattsOf = ({ values }: DaySample): number => Math.max(0, values[power]! * sign);
  let area = 0;
  for (let i = 1; i < chain.length; i++) {
    const [from, to] = [chain[i - 1]!, chain[i]!];
    if (to.at - from.at <= GAP_MS) area += areaBetween(wattsOf(from), wattsOf(to), to.at - from.at);
  }
  return area;
}

function peakWith(
  state: DayState,
  late: readonly DaySample[],
): Pick<DayState, 'peakPowerW' | 'peakPowerAt'> {
  let { peakPowerW, peakPowerAt } = state;
  for (const { at, fields, values } of late) {
    const powerW = fields.acPower < 0 ? Number.NaN : values[fields.acPower]!;
    // `peakPowerW` may be NaN, with which all comparisons are false.
    const isPeak =
      powerW >= 0 && (!(powerW <= peakPowerW) || (powerW === peakPowerW && at < peakPowerAt));
    if (isPeak) [peakPowerW, peakPowerAt] = [powerW, at];
  }
  return { peakPowerW, peakPowerAt };
}
