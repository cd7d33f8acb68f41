import {
  channels,
  isQuantity,
  type ChannelName,
  type Curves,
  type Energies,
  type QuantityName,
  type Values,
} from '@helioport/contract';

/** A point of a day. */
interface Point {
  readonly at: number;
  readonly values: Values;
  /** Energies of the day up to this point. */
  readonly energies?: Energies;
}

/** More decimals than any sensor has; without this, sums of several devices have fifteen. */
const THOUSANDTHS = 1000;

const written = (figure: number | null | undefined): number | null =>
  typeof figure === 'number' ? Math.round(figure * THOUSANDTHS) / THOUSANDTHS : null;

/** Points as columns: one for each quantity that was measured, and one for each kind of energy. */
export function curvesOf(points: readonly Point[]): Curves {
  const names = new Set(points.flatMap(({ values }) => Object.keys(values).filter(isQuantity)));
  const kinds = channels.filter((channel) => points.some(({ energies }) => energies?.[channel]));
  const ofQuantity = (name: QuantityName): (number | null)[] =>
    points.map(({ values }) => written(values[name]));
  const ofChannel = (channel: ChannelName): (number | null)[] =>
    points.map(({ energies }) => written(energies?.[channel]?.todayKwh));
  return {
    times: points.map(({ at }) => at),
    values: Object.fromEntries([...names].map((name) => [name, ofQuantity(name)])),
    dayKwh: Object.fromEntries(kinds.map((channel) => [channel, ofChannel(channel)])),
  };
}
