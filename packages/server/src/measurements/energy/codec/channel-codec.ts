import {
  keptOf,
  newCounter,
  type Assumed,
  type EnergyCounter,
  type CounterGiven,
  type CounterLevel,
} from '../counter.ts';
import type { ChannelState, PowerTrace } from '../day-state.ts';
import type { Receipt } from '../receipts.ts';
import type { PackedReader, PackedWriter } from './packed-bytes.ts';

const [TOTAL, TODAY, POWER, RECEIPTS] = [1, 2, 4, 8] as const;
// The common flags fit into the seven bits of one byte.
const [SEEN, BROKEN, COMPLETE, PENDING, OPENING, VALUED, LEFT] = [1, 2, 4, 8, 16, 32, 64] as const;
const [SILENT, REREAD, SPREAD, BOOKED, KEPT, KEPT_BROKEN, KEPT_BARE] = [
  128, 256, 512, 1024, 2048, 4096, 8192,
] as const;
// Since version 6.
const [ASSUMED, KEPT_ASSUMED, RESET, GIVEN] = [1 << 14, 1 << 15, 1 << 16, 1 << 17] as const;
const [FLOWING, FLOW_VALUED, UNPAIRED] = [2, 4, 8] as const;
// Flags of a receipt, above the two bits of its source.
const [RECEIPT_SPREAD, RECEIPT_TAKES_BACK, RECEIPT_VALUED, RECEIPT_REAL, RECEIPT_ACROSS] = [
  4, 8, 16, 32, 64,
] as const;

/** Writes a channel of a stored day; times are stored as distances to `lastAt`. */
export function writeChannel(
  writer: PackedWriter,
  { total, today, power, receipts }: ChannelState,
  lastAt: number,
): void {
  writer.byte(
    (total ? TOTAL : 0) | (today ? TODAY : 0) | (power ? POWER : 0) | (receipts ? RECEIPTS : 0),
  );
  if (total) writeCounter(writer, total, power, lastAt);
  if (today) writeCounter(writer, today, power, lastAt);
  if (power) writePower(writer, power, lastAt);
  if (receipts) writeReceipts(writer, receipts);
}

function writePower(writer: PackedWriter, power: PowerTrace, lastAt: number): void {
  const flowing = power.lastW !== 0 || power.areaWms !== 0;
  const valued = flowing && power.amountWms !== 0;
  writer.byte(
    (power.seen ? SEEN : 0) |
      (flowing ? FLOWING : 0) |
      (valued ? FLOW_VALUED : 0) |
      (power.paired ? 0 : UNPAIRED),
  );
  writer.whole(lastAt - power.lastAt);
  if (!flowing) return;
  writer.real(power.lastW);
  writer.real(power.areaWms);
  if (valued) writer.real(power.amountWms);
}

function writeCounter(
  writer: PackedWriter,
  counter: EnergyCounter,
  power: PowerTrace | undefined,
  lastAt: number,
): void {
  const { seen, broken, complete, reread, spread, pending, opening, left, assumed, resetAt } =
    counter;
  const valued = counter.amount !== 0;
  const kept = keptOf(counter);
  const hasKept = kept.energy !== 0 || kept.amount !== 0;
  // Usually the counter was read together with the newest power, and the power's integral need not be stored twice.
  const silent =
    counter.baseWms !== (power?.areaWms ?? 0) || counter.baseAmountWms !== (power?.amountWms ?? 0);
  writer.whole(
    (seen ? SEEN : 0) |
      (broken ? BROKEN : 0) |
      (complete ? COMPLETE : 0) |
      (pending ? PENDING : 0) |
      (opening ? OPENING : 0) |
      (valued ? VALUED : 0) |
      (left ? LEFT : 0) |
      (silent ? SILENT : 0) |
      (opening && reread ? REREAD : 0) |
      (spread ? SPREAD : 0) |
      (left?.booked ? BOOKED : 0) |
      (hasKept ? KEPT | (kept.amount === 0 ? KEPT_BARE : 0) : 0) |
      (kept.broken ? KEPT_BROKEN : 0) |
      (assumed ? ASSUMED : 0) |
      (kept.assumed ? KEPT_ASSUMED : 0) |
      (resetAt > 0 ? RESET : 0) |
      (left && left.given.length > 0 ? GIVEN : 0),
  );
  writer.whole(counter.base);
  writer.whole(lastAt - counter.baseAt);
  writer.whole(counter.energy);
  if (pending) {
    writer.whole(pending.level);
    writer.whole(lastAt - pending.at);
  }
  if (opening) {
    writer.whole(opening.level);
    writer.whole(opening.energy);
  }
  if (valued) writer.real(counter.amount);
  if (left) {
    writer.whole(left.level);
    writer.whole(lastAt - left.at);
    writer.whole(lastAt - left.leftAt);
  }
  if (silent) {
    writer.real(counter.baseWms);
    writer.real(counter.baseAmountWms);
  }
  if (hasKept) {
    writer.whole(kept.energy);
    if (kept.amount !== 0) writer.real(kept.amount);
  }
  if (assumed) writeAssumed(writer, assumed, lastAt);
  if (kept.assumed) writeAssumed(writer, kept.assumed, lastAt);
  if (resetAt > 0) writer.whole(lastAt - resetAt);
  if (left && left.given.length > 0) {
    writer.whole(left.given.length);
    for (const { fromAt, toAt, growth, lastDayMwh } of left.given) {
      writer.whole(lastAt - fromAt);
      writer.whole(toAt - fromAt);
      writer.whole(growth);
      writer.whole(lastDayMwh + 1);
    }
  }
}

function writeAssumed(
  writer: PackedWriter,
  { level, at, booked, before }: Assumed,
  lastAt: number,
): void {
  writer.byte(booked ? 1 : 0);
  writer.whole(level);
  writer.whole(lastAt - at);
  // 0 = none
  writer.whole(before.level + 1);
  if (before.level >= 0) writer.whole(lastAt - before.at);
}

function readAssumed(reader: PackedReader, lastAt: number): Assumed {
  const booked = reader.byte() === 1;
  const { level, at } = readLevel(reader, lastAt);
  const before = reader.whole() - 1;
  return {
    level,
    at,
    booked,
    before: { level: before, at: before < 0 ? 0 : lastAt - reader.whole() },
  };
}

function writeReceipts(writer: PackedWriter, receipts: readonly Receipt[]): void {
  writer.whole(receipts.length);
  for (const { byDay, source, energy, amount, spread, isAcross, takesBack } of receipts) {
    // What is taken back again is negative.
    const isReal = energy < 0 || !Number.isSafeInteger(energy);
    const valued = amount !== 0;
    writer.byte(
      source |
        (spread ? RECEIPT_SPREAD : 0) |
        (takesBack ? RECEIPT_TAKES_BACK : 0) |
        (valued ? RECEIPT_VALUED : 0) |
        (isReal ? RECEIPT_REAL : 0) |
        (isAcross ? RECEIPT_ACROSS : 0),
    );
    writer.whole(byDay);
    if (isReal) writer.real(energy);
    else writer.whole(energy);
    if (valued) writer.real(amount);
  }
}

/** Reads what `writeChannel` wrote. `isPlain`: the row has the older format, without findings about earlier days. */
export function readChannel(reader: PackedReader, lastAt: number, isPlain: boolean): ChannelState {
  const kinds = reader.byte();
  const total = kinds & TOTAL ? readCounter(reader, lastAt, isPlain) : undefined;
  const today = kinds & TODAY ? readCounter(reader, lastAt, isPlain) : undefined;
  const power = kinds & POWER ? readPower(reader, lastAt) : undefined;
  endAtPower(total, power);
  endAtPower(today, power);
  return { total, today, power, receipts: kinds & RECEIPTS ? readReceipts(reader) : undefined };
}

/** Completes a counter that was read together with the newest power. */
function endAtPower(counter: EnergyCounter | undefined, power: PowerTrace | undefined): void {
  if (!counter || !Number.isNaN(counter.baseWms)) return;
  counter.baseWms = power?.areaWms ?? 0;
  counter.baseAmountWms = power?.amountWms ?? 0;
}

/** Reads a counter. `baseWms` stays NaN if it equals that of the power, which is stored after the counters. */
function readCounter(reader: PackedReader, lastAt: number, isPlain: boolean): EnergyCounter {
  const flags = isPlain ? reader.byte() : reader.whole();
  const counter = newCounter();
  counter.base = reader.whole();
  counter.baseAt = lastAt - reader.whole();
  counter.energy = reader.whole();
  counter.baseWms = Number.NaN;
  if (flags & PENDING) counter.pending = readLevel(reader, lastAt);
  if (flags & OPENING)
    counter.opening = { level: reader.whole(), energy: isPlain ? 0 : reader.whole() };
  if (flags & VALUED) counter.amount = reader.real();
  counter.seen = (flags & SEEN) !== 0;
  counter.broken = (flags & BROKEN) !== 0;
  counter.complete = (flags & COMPLETE) !== 0;
  // `reread` is needed only on the day of the opening.
  counter.reread = isPlain || !(flags & OPENING) || (flags & REREAD) !== 0;
  if (isPlain) return counter;
  if (flags & LEFT)
    counter.left = {
      ...readLevel(reader, lastAt),
      leftAt: lastAt - reader.whole(),
      booked: (flags & BOOKED) !== 0,
      given: [],
    };
  if (flags & SILENT) {
    counter.baseWms = reader.real();
    counter.baseAmountWms = reader.real();
  }
  counter.spread = (flags & SPREAD) !== 0;
  const broken = (flags & KEPT_BROKEN) !== 0;
  if (flags & KEPT)
    counter.kept = {
      energy: reader.whole(),
      amount: flags & KEPT_BARE ? 0 : reader.real(),
      broken,
      assumed: undefined,
    };
  else if (broken || flags & KEPT_ASSUMED)
    counter.kept = { energy: 0, amount: 0, broken, assumed: undefined };
  if (flags & ASSUMED) counter.assumed = readAssumed(reader, lastAt);
  if (flags & KEPT_ASSUMED)
    counter.kept = { ...counter.kept!, assumed: readAssumed(reader, lastAt) };
  if (flags & RESET) counter.resetAt = lastAt - reader.whole();
  if (flags & GIVEN) counter.left = { ...counter.left!, given: readGiven(reader, lastAt) };
  return counter;
}

const readGiven = (reader: PackedReader, lastAt: number): CounterGiven[] =>
  Array.from({ length: reader.whole() }, () => {
    const fromAt = lastAt - reader.whole();
    return {
      fromAt,
      toAt: fromAt + reader.whole(),
      growth: reader.whole(),
      lastDayMwh: reader.whole() - 1,
    };
  });

const readLevel = (reader: PackedReader, lastAt: number): CounterLevel => ({
  level: reader.whole(),
  at: lastAt - reader.whole(),
});

function readPower(reader: PackedReader, lastAt: number): PowerTrace {
  const flags = reader.byte();
  const at = lastAt - reader.whole();
  const seen = (flags & SEEN) !== 0;
  const paired = (flags & UNPAIRED) === 0;
  if (!(flags & FLOWING)) return { seen, paired, lastAt: at, lastW: 0, areaWms: 0, amountWms: 0 };
  return {
    seen,
    paired,
    lastAt: at,
    lastW: reader.real(),
    areaWms: reader.real(),
    amountWms: flags & FLOW_VALUED ? reader.real() : 0,
  };
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
      isAcross: (flags & RECEIPT_ACROSS) !== 0,
      takesBack: (flags & RECEIPT_TAKES_BACK) !== 0,
    };
  });
}
