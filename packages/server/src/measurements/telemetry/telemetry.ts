import type { Values } from '@helioport/contract';
import type { Db } from '../../platform/storage/database.ts';
import type { EnergyChannel } from '../energy/channels.ts';

/** Energy of one channel in one period. */
export interface Energy {
  readonly energyKwh: number;
  /** Whether it was integrated from power, for lack of a counter, or is a share of a gap in the readings. */
  readonly estimated: boolean;
  /** Value of the energy at the prices in force when it flowed, in the plant's currency; undefined if no price is known. */
  readonly amount: number | undefined;
}

/** Energies of one period by channel; channels that were never reported are absent. */
export type ChannelEnergies = { readonly [C in EnergyChannel]?: Energy };

/** Energies of one device in one plant on one local day. */
export interface DayRollup {
  readonly bindingNo: number;
  /** yyyymmdd in the plant's calendar. */
  readonly day: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly samples: number;
  /** Highest acPowerW and when it was reached; null if none was above 0, or if a counter says that the day yielded nothing. */
  readonly peakPowerW: number | null;
  readonly peakPowerAt: number | null;
  readonly energies: ChannelEnergies;
}

/** Energies of one device in one plant in one local month. */
export interface MonthRollup {
  readonly bindingNo: number;
  /** yyyymm in the plant's calendar. */
  readonly month: number;
  readonly energies: { readonly [C in EnergyChannel]?: MonthEnergy };
}

/** Energy of one channel in a month. */
export interface MonthEnergy extends Energy {
  /** Number of days on which the channel's energy is known. */
  readonly days: number;
  /** The highest energy of a day, as a share of what the plant can produce on that day, at most 0.001 too high; 0 = unknown. */
  readonly highestShare: number;
}

/** Energies of a channel up to now, kWh. */
export interface EnergiesToDate {
  /** Undefined before any day's energy is known, like the next two fields: a single level of a counter says nothing about energy. */
  readonly dayKwh?: number;
  readonly monthKwh?: number;
  readonly yearKwh?: number;
  /** Energy over the device's whole life if its total counter is known, otherwise over all days. */
  readonly totalKwh: number;
  /** The part of `totalKwh` that the device had counted before its first reading; undefined = nothing. */
  readonly countedBeforeKwh?: number;
  /** Whether the day's energy was integrated from power or is a share of a longer gap. */
  readonly estimated: boolean;
  /** Number of days up to now on which the channel's energy is known. */
  readonly days: number;
  /** The highest energy of a day, as a share of what the plant can produce on that day, at most 0.001 too high; 0 = unknown. */
  readonly highestShare: number;
  /** Value of these energies at the prices in force when they flowed; undefined if no price is known. */
  readonly amounts: AmountsToDate | undefined;
}

/** Money up to now, in the plant's currency. */
export interface AmountsToDate {
  readonly day?: number;
  readonly month?: number;
  readonly year?: number;
  readonly total: number;
  /** The part of `total` for energy that the device had counted before its first reading. */
  readonly countedBefore?: number;
}

/** The latest known state of a device in a plant: its last day with readings. */
export interface Latest extends DayRollup {
  /** The values of the last reading and, for quantities that it lacks, those of the hour before it. */
  readonly values: Values;
  /** When those of `values` were measured that the last reading lacks, epoch ms. */
  readonly olderAt: { readonly [name: string]: number };
  /**
   * Day, month, year and total of each channel as seen from the local day `today` (yyyymmdd, at most a day before `day`). For example, dayKwh is 0 on
   * a day without readings, and monthKwh is 0 in a new month.
   */
  energiesToDate(today: number): { readonly [C in EnergyChannel]?: EnergiesToDate };
}

export interface StoredReading {
  readonly at: number;
  readonly values: Values;
}

/** A reading with the energies of its local day so far. */
export interface CurvePoint extends StoredReading {
  /** Energies as the day's roll-up would have shown them at that moment; totalKwh as in EnergiesToDate. */
  readonly energies: { readonly [C in EnergyChannel]?: CurveEnergy };
}

/** Energy of one channel on a day, up to a reading. */
export interface CurveEnergy {
  readonly dayKwh: number;
  /** Value of the energy; undefined if no price is known. */
  readonly dayAmount: number | undefined;
  /** Undefined unless totals were requested. */
  readonly totalKwh: number | undefined;
}

/** A span of time, epoch ms. */
export interface TelemetrySpan {
  readonly fromAt: number;
  /** End of the span, excluded. */
  readonly toAt: number;
}

/** A local day of a binding: the day's window, limited to the binding's period. */
export interface BoundDay extends TelemetrySpan {
  readonly bindingNo: number;
  readonly seriesId: number;
}

/** The result of `endsOf`. */
export interface Ends {
  readonly latest: Map<number, Latest>;
  /** The stored day before the newest one. */
  readonly before: ReadonlyMap<number, DayRollup>;
  /**
   * Telemetry to look for the beginnings of bindings. For the bindings in `first`, it uses only their first days and does not ask the engine. All
   * other bindings are read as usual.
   */
  readonly beginnings: Telemetry;
  /** The first days of the bindings for which they were requested. `isAll`: the binding has no other days. */
  readonly first: ReadonlyMap<
    number,
    { readonly days: readonly DayRollup[]; readonly isAll: boolean }
  >;
}

/** Reads telemetry. `db` may be a transaction; for unknown bindings and series, results are empty. */
export interface Telemetry {
  /** The newest day of many bindings (binding.no). With `now`, readings with a later time are replaced by earlier ones (present.ts). */
  latestOf(db: Db, bindingNos: readonly number[], now?: number): Promise<Map<number, Latest>>;
  /** The newest day of bindings, the day before it, and the first days of the bindings in `first`, in a single query. `now` as in latestOf. */
  endsOf(
    db: Db,
    asked: {
      readonly bindingNos: readonly number[];
      readonly first: readonly number[];
      readonly now: number;
    },
  ): Promise<Ends>;
  /** When each of many bindings first measured, epoch ms; those that never did are omitted. */
  firstReportsOf(db: Db, bindingNos: readonly number[]): Promise<Map<number, number>>;
  /** Days from `fromDay` to `toDay`, both included, ordered by binding and day; days without readings are omitted. */
  daysOf(
    db: Db,
    bindingNos: readonly number[],
    fromDay: number,
    toDay: number,
  ): Promise<DayRollup[]>;
  /** Months from `fromMonth` to `toMonth` (yyyymm), both included, the running month up to now. */
  monthsOf(
    db: Db,
    bindingNos: readonly number[],
    fromMonth: number,
    toMonth: number,
  ): Promise<MonthRollup[]>;
  /** Readings of a device (device.series) from `fromAt` (included) to `toAt` (excluded), ascending. */
  readingsBetween(db: Db, seriesId: number, fromAt: number, toAt: number): Promise<StoredReading[]>;
  /** Readings of a device from `fromAt` (included) to `toAt` (excluded), ascending, in pieces, none of which is empty or has more than some thousands. */
  readingPages(
    db: Db,
    seriesId: number,
    fromAt: number,
    toAt: number,
  ): AsyncIterable<StoredReading[]>;
  /**
   * Readings of a device in some spans, in order. If a span has more than 2,880, only the last one of each 30 s is returned; for spans longer than a
   * day, the slots are longer.
   */
  chartReadings(
    db: Db,
    seriesId: number,
    spans: readonly TelemetrySpan[],
  ): Promise<StoredReading[]>;
  /**
   * Visits the readings of bindings on local days, ascending for each of them; `part` is an index in `parts`. Takes two statements, and more for bindings with
   * thousands of readings a day, so that no more than those are held.
   */
  eachReading(
    db: Db,
    parts: readonly BoundDay[],
    visit: (part: number, reading: StoredReading) => void,
  ): Promise<void>;
  /**
   * The readings of bindings on a local day, downsampled in the same way, each with the day's energies up to it. The last row agrees with the day's
   * roll-up. The number of statements does not depend on the number of bindings; two of them are for totals.
   */
  dayCurves(
    db: Db,
    day: number,
    parts: readonly BoundDay[],
    withTotals: boolean,
  ): Promise<CurvePoint[][]>;
}
