import { quantities, type QuantityName } from '@helioport/contract';
import { channelSources, energyChannels } from './channels.ts';

/** Indices of an energy channel's sources among a sample's values; -1 for missing ones. */
export interface ChannelFields {
  /** Number of the channel. */
  readonly channel: number;
  readonly power: number;
  readonly sign: 1 | -1;
  readonly today: number;
  readonly total: number;
}

/** The quantities of a sample, in the order of its values. Many samples share one list, which the database knows by number. */
export interface FieldList {
  readonly id: number;
  readonly names: readonly QuantityName[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** Index of acPowerW, or -1. */
  readonly acPower: number;
  readonly channels: readonly ChannelFields[];
}

const rank = new Map([...quantities.keys()].map((name, i) => [name, i]));

/** Names in the order in which samples store them, so that equal sets share a list. */
export const inStoredOrder = (names: readonly QuantityName[]): QuantityName[] =>
  names.toSorted((a, b) => rank.get(a)! - rank.get(b)!);

/** Number of a list that is not known to be in the database. Nothing is stored with it. */
export const UNSETTLED = 0;

/** Creates a list with its number in the database. */
export function createFieldList(id: number, names: readonly QuantityName[]): FieldList {
  const indexOf = new Map(names.map((name, i) => [name as string, i]));
  const at = (name: QuantityName | undefined): number =>
    name === undefined ? -1 : (indexOf.get(name) ?? -1);
  const fields = energyChannels.map((name, channel) => {
    const { power, sign, today, total } = channelSources[name];
    return { channel, power: at(power), sign, today: at(today), total: at(total) };
  });
  return {
    id,
    names,
    indexOf,
    acPower: at('acPowerW'),
    channels: fields.filter(({ power, today, total }) => power >= 0 || today >= 0 || total >= 0),
  };
}
