import type { Carry, ChannelSums, MoneySums } from '../day-state.ts';
import type { PackedReader, PackedWriter } from './packed-bytes.ts';
import { maskOf, readEach } from './packed-masks.ts';

const isEstimated = ({ estimated }: ChannelSums): boolean => estimated;
const isValued = ({ money }: ChannelSums): boolean => money !== undefined;

/** Writes the sums before a binding's newest day, as part of that day's row. */
export function writeCarry(writer: PackedWriter, { day, sums }: Carry): void {
  writer.whole(day);
  writer.whole(maskOf(sums));
  writer.whole(maskOf(sums, isEstimated));
  writer.whole(maskOf(sums, isValued));
  for (const channel of sums) {
    if (!channel) continue;
    writer.whole(channel.day);
    writer.whole(channel.month);
    writer.whole(channel.year);
    writer.whole(channel.total);
    writer.whole(channel.before);
    writer.whole(channel.days);
    writer.whole(channel.highestShare);
    if (channel.money) writeMoney(writer, channel.money);
  }
}

function writeMoney(writer: PackedWriter, { day, month, year, total, before }: MoneySums): void {
  writer.whole(day);
  writer.whole(month);
  writer.whole(year);
  writer.whole(total);
  writer.whole(before);
}

/** The format in which an earlier release stored a carry. */
export interface CarryForm {
  /** Whether it holds no money. */
  readonly moneyless: boolean;
  /** Whether `total` includes what the device had counted before, and `before` is missing. */
  readonly isPlain: boolean;
  /** Whether it records only that some day is known, instead of the number of such days, and lacks the shares of the plant's bounds. */
  readonly isShareless: boolean;
}

/** Reads what `writeCarry` wrote. */
export function readCarry(reader: PackedReader, form: CarryForm): Carry {
  const { moneyless, isPlain, isShareless } = form;
  const day = reader.whole();
  const readMask = (): number => (moneyless ? reader.byte() : reader.whole());
  const mask = readMask();
  const estimated = readMask();
  const valued = moneyless ? 0 : readMask();
  const known = isShareless && !isPlain ? reader.whole() : mask;
  const sums = readEach(mask, (i) => ({
    day: reader.whole(),
    estimated: (estimated & (1 << i)) !== 0,
    month: reader.whole(),
    year: reader.whole(),
    total: reader.whole(),
    before: isPlain ? 0 : reader.whole(),
    days: isShareless ? (known >> i) & 1 : reader.whole(),
    highestShare: isShareless ? 0 : reader.whole(),
    money: valued & (1 << i) ? readMoney(reader, isPlain) : undefined,
  }));
  return { day, sums };
}

const readMoney = (reader: PackedReader, isPlain: boolean): MoneySums => ({
  day: reader.whole(),
  month: reader.whole(),
  year: reader.whole(),
  total: reader.whole(),
  before: isPlain ? 0 : reader.whole(),
});
