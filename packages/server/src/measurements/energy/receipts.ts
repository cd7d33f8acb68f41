/** The sources of a channel's energy: total counter, daily counter, power. Their numbers are stored. */
export const [TOTAL_SOURCE, TODAY_SOURCE, POWER_SOURCE] = [0, 1, 2] as const;

/** What a later day found out about this one: that it gets a share of growth across midnight, or that growth of its counter was an error. */
export interface Receipt {
  /** The later day, yyyymmdd. */
  readonly byDay: number;
  readonly source: number;
  /** mWh; for power, W x ms. */
  readonly energy: number;
  /** Value of the energy, on days with more than one price. */
  readonly amount: number;
  /** Whether the energy is an estimated share of a gap longer than GAP_MS. */
  readonly spread: boolean;
  /** Whether it is growth across a roll-over or a reset, which other sources may contradict. */
  readonly isAcross: boolean;
  /** Whether the growth that was counted between the counter's leaving its old level and `byDay` no longer counts. */
  readonly takesBack: boolean;
}

/**
 * Adds a receipt in order of `byDay`, so that the list does not depend on the order of arrival. One that takes back replaces what the same day has
 * given until then.
 */
export function addReceipt(receipts: Receipt[] | undefined, receipt: Receipt): Receipt[] {
  const { byDay, source, takesBack } = receipt;
  const list =
    (takesBack
      ? receipts?.filter((one) => one.byDay !== byDay || one.source !== source)
      : receipts) ?? [];
  let i = list.length;
  while (i > 0 && isAfter(list[i - 1]!, receipt)) i -= 1;
  list.splice(i, 0, receipt);
  return list;
}

const isAfter = (a: Receipt, b: Receipt): boolean =>
  a.byDay > b.byDay ||
  (a.byDay === b.byDay &&
    (a.source > b.source || (a.source === b.source && a.takesBack < b.takesBack)));

/** The sum of a source's receipts. */
export interface ReceivedEnergy {
  readonly energy: number;
  readonly amount: number;
  readonly spread: boolean;
  /** The part of the energy that is growth across a roll-over or a reset. */
  readonly across: number;
  /** Whether there are any receipts. */
  readonly some: boolean;
  readonly takenBack: boolean;
}

const NOTHING: ReceivedEnergy = {
  energy: 0,
  amount: 0,
  spread: false,
  across: 0,
  some: false,
  takenBack: false,
};

/** Sums the receipts of a source: a take-back cancels all receipts before it. */
export function receivedBy(
  receipts: readonly Receipt[] | undefined,
  source: number,
): ReceivedEnergy {
  if (!receipts) return NOTHING;
  let [energy, amount, across] = [0, 0, 0];
  let [spread, some, takenBack] = [false, false, false];
  for (const receipt of receipts) {
    if (receipt.source !== source) continue;
    if (receipt.takesBack) {
      [energy, amount, across] = [0, 0, 0];
      [spread, some, takenBack] = [false, false, true];
    } else {
      energy += receipt.energy;
      amount += receipt.amount;
      if (receipt.isAcross) across += receipt.energy;
      spread ||= receipt.spread;
      some = true;
    }
  }
  return { energy, amount, spread, across, some, takenBack };
}
