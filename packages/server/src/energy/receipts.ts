/** What tells the energy of a channel: the total counter, the counter of the day, power. Their numbers are stored. */
export const [TOTAL_SOURCE, TODAY_SOURCE, POWER_SOURCE] = [0, 1, 2] as const;

/** What a later day found out about this one: a share of what grew across midnight, or that what a counter told was an error. */
export interface Receipt {
  /** The day that found out, yyyymmdd. */
  readonly byDay: number;
  readonly source: number;
  /** mWh; of power W x ms. */
  readonly energy: number;
  /** What it was worth, on days of more than one price. */
  readonly amount: number;
  /** The share of a time longer than GAP_MS. */
  readonly spread: boolean;
  /** What the counter told from when it left its old level, up to `byDay`, does not count. */
  readonly takesBack: boolean;
}

/** Adds a receipt in the order of `byDay`, so that the list does not tell in which order they came. */
export function addReceipt(receipts: Receipt[] | undefined, receipt: Receipt): Receipt[] {
  const list = receipts ?? [];
  let i = list.length;
  while (i > 0 && isAfter(list[i - 1]!, receipt)) i -= 1;
  list.splice(i, 0, receipt);
  return list;
}

const isAfter = (a: Receipt, b: Receipt): boolean =>
  a.byDay > b.byDay || (a.byDay === b.byDay && (a.source > b.source || (a.source === b.source && a.takesBack < b.takesBack)));

/** The receipts of a source together. */
export interface Received {
  readonly energy: number;
  readonly amount: number;
  readonly spread: boolean;
  /** There is any at all. */
  readonly some: boolean;
  readonly takenBack: boolean;
}

const NOTHING: Received = { energy: 0, amount: 0, spread: false, some: false, takenBack: false };

/** What came after something was taken back counts, what came before does not. */
export function receivedBy(receipts: readonly Receipt[] | undefined, source: number): Received {
  if (!receipts) return NOTHING;
  let [energy, amount, spread, some, takenBack] = [0, 0, false, false, false];
  for (const receipt of receipts) {
    if (receipt.source !== source) continue;
    if (receipt.takesBack) [energy, amount, spread, some, takenBack] = [0, 0, false, false, true];
    else {
      energy += receipt.energy;
      amount += receipt.amount;
      spread ||= receipt.spread;
      some = true;
    }
  }
  return { energy, amount, spread, some, takenBack };
}
