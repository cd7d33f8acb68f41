import type { LossCause, WireData } from '@helioport/contract';
import type { Formats } from '../../../i18n/formats-of.ts';
import { textOfDay } from '../../../i18n/plant-time.ts';
import type { BarFact, ChartBar, Figures } from '../../../parts/charts/bars.ts';
import { CAUSE_COLOURS } from '../../../parts/losses/cause-colours.ts';

export type LossRow = WireData<'performance/losses'>[number];
type Loss = LossRow['losses'][number];

export const CAUSES = Object.keys(CAUSE_COLOURS) as LossCause[];

interface Written {
  readonly formats: Formats;
  /** What the value of the losses is called. */
  readonly lost: string;
}

/** A bar for each day or month: what was produced, and what was lost for each cause. */
export const lossBarsOf = (
  rows: readonly LossRow[],
  each: 'day' | 'month',
  written: Written,
): ChartBar[] =>
  rows.map((row) => {
    const day = textOfDay(row.day);
    const key = each === 'day' ? day : day.slice(0, 7);
    const { formats } = written;
    const names =
      each === 'day'
        ? { label: formats.day(key), short: String(Number(key.slice(8))) }
        : { label: formats.month(key), short: formats.shortMonth(key) };
    return { key, ...names, ...lossFiguresOf([row], written) };
  });

/** What was produced and lost in several periods together. */
export function lossFiguresOf(rows: readonly LossRow[], { formats, lost }: Written): Figures {
  const known = rows.filter(({ producedKwh }) => producedKwh !== undefined);
  if (known.length === 0) return { kwh: {}, facts: [], splits: [] };
  const produced = known.reduce((sum, { producedKwh }) => sum + producedKwh!, 0);
  const ofCause = (cause: LossCause): number | undefined => {
    const losses = known.flatMap((row) => row.losses.filter((loss) => loss.cause === cause));
    return losses.length === 0 ? undefined : rounded(losses.reduce((sum, { kwh }) => sum + kwh, 0));
  };
  const amounts = known.flatMap(({ lostAmount }) => lostAmount ?? []);
  const amount = rounded(amounts.reduce((sum, each) => sum + each, 0));
  const currency = known[0]!.currency;
  const facts: BarFact[] =
    amounts.length > 0
      ? [{ label: lost, text: formats.money(amount, currency), amount, unit: currency }]
      : [];
  return {
    kwh: {
      produced: rounded(produced),
      ...Object.fromEntries(CAUSES.map((cause) => [cause, ofCause(cause)])),
    },
    facts,
    splits: [],
  };
}

const rounded = (figure: number): number => Math.round(figure * 100) / 100;

/** The losses of several periods by cause and inverter, the largest first, without what is unexplained. */
export function namedLosses(rows: readonly LossRow[]): Loss[] {
  const sums = new Map<string, Loss>();
  for (const loss of rows.flatMap(({ losses }) => losses)) {
    if (loss.cause === 'unexplained') continue;
    const key = `${loss.cause} ${loss.sn ?? ''}`;
    const before = sums.get(key);
    const amounts = [before?.amount, loss.amount].filter((each) => each !== undefined);
    sums.set(key, {
      ...loss,
      kwh: loss.kwh + (before?.kwh ?? 0),
      days: loss.days + (before?.days ?? 0),
      ...(amounts.length > 0 && { amount: amounts.reduce((a, b) => a + b, 0) }),
    });
  }
  return [...sums.values()].toSorted((a, b) => b.kwh - a.kwh);
}
