import type { Carry, ChannelSums, MoneySums } from '../day-state.ts';
import type { PackedReader, PackedWriter } from './packed-bytes.ts';
import { maskOf, readEach } from './packed-masks.ts';

const isEstimated = ({ estimated }: ChannelSums): boolean => estimated;
const isValued = ({ money }: ChannelSums): boolean => money !== undefined;

/** The sums before a binding's newest day, as part of its row. */
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
    if (channel.money) writeMoney(writer, channel.money);
  }
}

function writeMoney(writer: PackedWriter, { day, month, year, total }: MoneySums): void {
  writer.whole(day);
  writer.whole(month);
  writer.whole(year);
  writer.whole(total);
}

/** Reads what `writeCarry` wrote; `moneyless`: as it was before money was known. */
export function readCarry(reader: PackedReader, moneyless: boolean): Carry {
  const day = reader.whole();
  const readMask = moneyless ? reader.byte : reader.whole;
  const mask = readMask();
  const estimated = readMask();
  const valued = moneyless ? 0 : readMask();
  const sums = readEach(mask, (i) => ({
    day: reader.whole(),
    estimated: (estimated & (1 << i)) !== 0,
    month: reader.whole(),
    year: reader.whole(),
    total: reader.whole(),
    money: valued & (1 << i) ? readMoney(reader) : undefined,
  }));
  return { day, sums };
}

const readMoney = (reader: PackedReader): MoneySums => ({ day: reader.whole(), month: reader.whole(), year: reader.whole(), total: reader.whole() });
