import { newCounter, type Counter } from '../counter.ts';
import type { ChannelState, PowerTrace } from '../day-state.ts';
import type { Receipt } from '../receipts.ts';
import type { PackedReader, PackedWriter } from './packed-bytes.ts';

const [TOTAL, TODAY, POWER, RECEIPTS] = [1, 2, 4, 8] as const;
// The common flags fit into the seven bits of one byte.
const [SEEN, BROKEN, COMPLETE, PENDING, OPENING, VALUED, FORMER] = [1, 2, 4, 8, 16, 32, 64] as const;
const [SILENT, REREAD, SPREAD, BOOKED, KEPT, KEPT_BROKEN] = [128, 256, 512, 1024, 2048, 4096] as const;
const [FLOWING, FLOW_VALUED, UNPAIRED] = [2, 4, 8] as const;
// Above the two bits of the source.
const [RECEIPT_SPREAD, RECEIPT_TAKES_BACK, RECEIPT_VALUED, RECEIPT_REAL] = [4, 8, 16, 32] as const;

/** A channel of a stored day; times are stored as distances to `lastAt`. */
export function writeChannel(writer: PackedWriter, { total, today, power, receipts }: ChannelState, lastAt: number): void {
  writer.byte((total ? TOTAL : 0) | (today ? TODAY : 0) | (power ? POWER : 0) | (receipts ? RECEIPTS : 0));
  if (total) writeCounter(writer, total, power, lastAt);
  if (today) writeCounter(writer, today, power, lastAt);
  if (power) writePower(writer, power, lastAt);
  if (receipts) writeReceipts(writer, receipts);
}

function writePower(writer: PackedWriter, power: PowerTrace, lastAt: number): void {
  const flowing = power.lastW !== 0 || power.areaWms !== 0;
  const valued = flowing && power.amountWms !== 0;
  writer.byte((power.seen ? SEEN : 0) | (flowing ? FLOWING : 0) | (valued ? FLOW_VALUED : 0) | (power.paired ? 0 : UNPAIRED));
  writer.whole(lastAt - power.lastAt);
  if (!flowing) return;
  writer.real(power.lastW);
  writer.real(power.areaWms);
  if (valued) writer.real(power.amountWms);
}

function writeCounter(writer: PackedWriter, counter: Counter, power: PowerTrace | undefined, lastAt: number): void {
  const { seen, broken, complete, reread, spread, booked, keptBroken } = counter;
  const pending = counter.pending >= 0;
  const opening = counter.opening >= 0;
  const former = counter.former >= 0;
  const valued = counter.amount !== 0;
  const kept = counter.keptEnergy !== 0 || counter.keptAmount !== 0;
  // Usually the counter was read together with the newest power.
  const silent = counter.baseWms !== (power?.areaWms ?? 0) || counter.baseAmountWms !== (power?.amountWms ?? 0);
  writer.whole(
    (seen ? SEEN : 0) |
      (broken ? BROKEN : 0) |
      (complete ? COMPLETE : 0) |
      (pending ? PENDING : 0) |
      (opening ? OPENING : 0) |
      (valued ? VALUED : 0) |
      (former ? FORMER : 0) |
      (silent ? SILENT : 0) |
      (opening && reread ? REREAD : 0) |
      (spread ? SPREAD : 0) |
      (booked ? BOOKED : 0) |
      (kept ? KEPT : 0) |
      (keptBroken ? KEPT_BROKEN : 0),
  );
  writer.whole(counter.base);
  writer.whole(lastAt - counter.baseAt);
  writer.whole(counter.energy);
  if (pending) {
    writer.whole(counter.pending);
    writer.whole(lastAt - counter.pendingAt);
  }
  if (opening) {
    writer.whole(counter.opening);
    writer.whole(counter.openingEnergy);
  }
  if (valued) writer.real(counter.amount);
  if (former) {
    writer.whole(counter.former);
    writer.whole(lastAt - counter.formerAt);
    writer.whole(lastAt - counter.leftAt);
  }
  if (silent) {
    writer.real(counter.baseWms);
    writer.real(counter.baseAmountWms);
  }
  if (kept) {
    writer.whole(counter.keptEnergy);
    writer.real(counter.keptAmount);
  }
}

function writeReceipts(writer: PackedWriter, receipts: readonly Receipt[]): void {
  writer.whole(receipts.length);
  for (const { byDay, source, energy, amount, spread, takesBack } of receipts) {
    const isReal = !Number.isSafeInteger(energy);
    const valued = amount !== 0;
    writer.byte(source | (spread ? RECEIPT_SPREAD : 0) | (takesBack ? RECEIPT_TAKES_BACK : 0) | (valued ? RECEIPT_VALUED : 0) | (isReal ? RECEIPT_REAL : 0));
    writer.whole(byDay);
    if (isReal) writer.real(energy);
    else writer.whole(energy);
    if (valued) writer.real(amount);
  }
}

/** Reads what `writeChannel` wrote; `isPlain`: in the older format, without findings about earlier days. */
export function readChannel(reader: PackedReader, lastAt: number, isPlain: boolean): ChannelState {
  const kinds = reader.byte();
  const total = kinds & TOTAL ? readCounter(reader, lastAt, isPlain) : undefined;
  const today = kinds & TODAY ? readCounter(reader, lastAt, isPlain) : undefined;
  const power = kinds & POWER ? readPower(reader, lastAt) : undefined;
  for (const read of [total, today]) if (read && !read.silent) endAtPower(read.counter, power);
  return { total: total?.counter, today: today?.counter, power, receipts: kinds & RECEIPTS ? readReceipts(reader) : undefined };
}

function endAtPower(counter: Counter, power: PowerTrace | undefined): void {
  counter.baseWms = power?.areaWms ?? 0;
  counter.baseAmountWms = power?.amountWms ?? 0;
}

function readCounter(reader: PackedReader, lastAt: number, isPlain: boolean): { counter: Counter; silent: boolean } {
  const flags = isPlain ? reader.byte() : reader.whole();
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const counter = newCounter();
  counter.base = reader.whole();
  counter.baseAt = lastAt - reader.whole();
  counter.energy = reader.whole();
  if (has(PENDING)) {
    counter.pending = reader.whole();
    counter.pendingAt = lastAt - reader.whole();
  }
  if (has(OPENING)) {
    counter.opening = reader.whole();
    if (!isPlain) counter.openingEnergy = reader.whole();
  }
  if (has(VALUED)) counter.amount = reader.real();
  counter.seen = has(SEEN);
  counter.broken = has(BROKEN);
  counter.complete = has(COMPLETE);
  // Only needed on the day of the opening.
  counter.reread = isPlain || !has(OPENING) || has(REREAD);
  if (isPlain) return { counter, silent: false };
  if (has(FORMER)) {
    counter.former = reader.whole();
    counter.formerAt = lastAt - reader.whole();
    counter.leftAt = lastAt - reader.whole();
  }
  if (has(SILENT)) {
    counter.baseWms = reader.real();
    counter.baseAmountWms = reader.real();
  }
  if (has(KEPT)) {
    counter.keptEnergy = reader.whole();
    counter.keptAmount = reader.real();
  }
  counter.spread = has(SPREAD);
  counter.booked = has(BOOKED);
  counter.keptBroken = has(KEPT_BROKEN);
  return { counter, silent: has(SILENT) };
}

function readPower(reader: PackedReader, lastAt: number): PowerTrace {
  const flags = reader.byte();
  const at = lastAt - reader.whole();
  const seen = (flags & SEEN) !== 0;
  const paired = (flags & UNPAIRED) === 0;
  if (!(flags & FLOWING)) return { seen, paired, lastAt: at, lastW: 0, areaWms: 0, amountWms: 0 };
  return { seen, paired, lastAt: at, lastW: reader.real(), areaWms: reader.real(), amountWms: flags & FLOW_VALUED ? reader.real() : 0 };
}

function readReceipts(reader: PackedReader): Receipt[] {
  return Array.from({ length: reader.whole() }, () => {
    const flags = reader.byte();
    const byDay = reader.whole();
    return {
      byDay,
      source: flags & 3,
      energy: flags & RECEIPT_REAL ? reader.real() : reader.whole(),
      amount: flags & RECEIPT_VALUED ? reader.real() : 0,
      spread: (flags & RECEIPT_SPREAD) !== 0,
      takesBack: (flags & RECEIPT_TAKES_BACK) !== 0,
    };
  });
}
