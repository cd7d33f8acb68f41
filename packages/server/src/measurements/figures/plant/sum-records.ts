import { isDisconnected, roundMoney, type PlantRecord } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { presence } from '../../../fleet/plants/presence.ts';
import type { CurrencySums } from '../../../fleet/plants/ranking/sums.ts';
import type { Instant } from '../../../platform/storage/database.ts';

type Maybe = number | null | undefined;

interface Line {
  readonly currency: string;
  readonly state: number;
  readonly record: PlantRecord;
}

/** Adds up the records of plants by currency; `records` are those of `plants`, in the same order, read at the time `now`. */
export function sumRecords(
  plants: readonly VisiblePlant[],
  records: readonly PlantRecord[],
  now: Instant,
): CurrencySums[] {
  const lines = plants.map(({ currency, state }, i): Line => ({
    currency,
    state,
    record: records[i]!,
  }));
  const byCurrency = [...Map.groupBy(lines, ({ currency }) => currency)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return byCurrency.map(([currency, its]) => {
    const sum = (of: (line: Line) => Maybe): number | null => sumKnown(its.map(of));
    const measured = its.filter(isMeasured);
    return {
      currency,
      capacityKwp: measured.reduce((total, { record }) => total + record.capacityKwp, 0),
      unmeasured: its.length - measured.length,
      disconnected: its.filter(
        ({ record: { connection } }) => connection && isDisconnected(connection),
      ).length,
      powerW: sum(powerOf),
      dayKwh: sum(({ record }) => record.energies.production?.todayKwh),
      monthKwh: sum(({ record }) => record.energies.production?.monthKwh),
      yearKwh: sum(({ record }) => record.energies.production?.yearKwh),
      totalKwh: sum(({ record }) => record.energies.production?.totalKwh),
      dayWorth: sum(({ record }) => asShown(record.worth?.sum.today)),
      monthWorth: sum(({ record }) => asShown(record.worth?.sum.month)),
      yearWorth: sum(({ record }) => asShown(record.worth?.sum.year)),
      totalWorth: sum(({ record }) => asShown(record.worth?.sum.total)),
      workedOutAt: now,
    };
  });
}

/** Adds up what is known; null if nothing is. */
export function sumKnown(values: readonly Maybe[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

/** What a plant does now is unknown unless its figures are of now. */
const powerOf = ({ record }: Line): Maybe =>
  record.connection === 'live' ? record.values.acPowerW : undefined;

const isMeasured = (line: Line): boolean =>
  line.state !== presence.building &&
  sumKnown([line.record.energies.production?.totalKwh, powerOf(line)]) !== null;

/** People add up the amounts that each plant shows. */
const asShown = (amount: Maybe): Maybe =>
  amount === null || amount === undefined ? amount : roundMoney(amount);
