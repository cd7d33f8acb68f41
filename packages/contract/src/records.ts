import type { Maybe } from './fields/parts/field.ts';
import type { EpmSeriesName } from './fields/epm-series.ts';
import type { PlantConnection } from './fields/plant-connection.ts';
import type { Values } from './quantities.ts';

// Our own output shapes: what handlers return. Times are epoch ms, units are in the names, signs are those of
// quantities.ts. Unknown values are undefined or null; the wire leaves them out.

/** One page of a list. `pageNo` counts from 1. */
export interface Page<R> {
  readonly records: readonly R[];
  /** Number of records on all pages. */
  readonly total: number;
  readonly pageNo: number;
  readonly pageSize: number;
}

/** Numbers of all records that match a list's filters, by state. */
export interface StateCounts {
  readonly all: number;
  readonly online: number;
  readonly offline: number;
  readonly alarm: number;
}

/** A page, with counts over all pages. */
export interface Listing<R> {
  readonly page: Page<R>;
  readonly counts: StateCounts;
}

export type State = 'online' | 'offline' | 'alarm';

/** A plant's zone at the time of the answer. */
export interface ZoneRecord {
  /** IANA name. */
  readonly name: string;
  /** Minutes by which standard time is ahead of UTC. */
  readonly standardOffsetMinutes: number;
  /** Minutes of daylight-saving time in force now; 0 if none. */
  readonly daylightMinutes: number;
}

/**
 * A kind of energy. `load` is the consumption of loads on the grid side, `backup` that of loads on the backup port. The
 * irradiations are energy per square metre.
 */
export type Channel =
  | (
      | 'production'
      | 'gridImport'
      | 'gridExport'
      | 'batteryCharge'
      | 'batteryDischarge'
      | 'load'
      | 'backup'
      | 'generator'
    )
  | ('irradiation' | 'globalIrradiation' | 'directIrradiation' | 'diffuseIrradiation');

/** Energy of the plant's local day, month and year, of all time, and of the day before. */
export interface PeriodEnergies {
  readonly todayKwh?: Maybe<number>;
  readonly monthKwh?: Maybe<number>;
  readonly yearKwh?: Maybe<number>;
  readonly totalKwh?: Maybe<number>;
  readonly yesterdayKwh?: Maybe<number>;
  /** Whether part of today's energy is estimated. */
  readonly estimated?: Maybe<boolean>;
  /** Value of these energies at the prices in force when the energy flowed; undefined if no price is known. */
  readonly amounts?: Maybe<PeriodAmounts>;
}

export type Energies = { readonly [C in Channel]?: Maybe<PeriodEnergies> };

/** Money of the same periods, in the plant's currency. */
export interface PeriodAmounts {
  readonly today?: Maybe<number>;
  readonly month?: Maybe<number>;
  readonly year?: Maybe<number>;
  readonly total?: Maybe<number>;
}

/**
 * What the energy of a plant was worth: what did not have to be bought, at the price of buying, plus what was received for energy sold. A tariff per kWh
 * produced is an extra, and counts only where neither is known, so that no energy counts twice. Only energy that was recorded counts.
 */
export interface PlantWorth {
  readonly sum: PeriodAmounts;
  /** What the sum consists of. */
  readonly of: WorthOf;
  /** The first day that counts, yyyymmdd. */
  readonly sinceDay: number;
}

export type WorthOf = 'savedAndSold' | 'saved' | 'sold' | 'produced';

/** Measured values and energies of a plant or a device. */
export interface Measured {
  /** Latest values; a plant's powers are the sums over its devices. */
  readonly values: Values;
  readonly energies: Energies;
  readonly income?: Maybe<PeriodAmounts>;
  /** Time of the last reading. */
  readonly lastReportAt?: Maybe<number>;
}

/** Facts of a plant that no query filters by: the column `plant.facts`. */
export interface PlantFacts {
  readonly mobile?: Maybe<string>;
  readonly countryId?: Maybe<string>;
  readonly country?: Maybe<string>;
  readonly regionId?: Maybe<string>;
  readonly region?: Maybe<string>;
  readonly cityId?: Maybe<string>;
  readonly city?: Maybe<string>;
  readonly county?: Maybe<string>;
  readonly areaCode?: Maybe<string>;
  readonly installerMobile?: Maybe<string>;
  /** Number of modules. */
  readonly moduleCount?: Maybe<number>;
  readonly pictureName?: Maybe<string>;
  /** 0 full feed-in, 1 self-use, 2 off-grid. */
  readonly feedIn?: Maybe<number>;
  readonly energyOffsetKwh?: Maybe<number>;
  readonly language?: Maybe<string>;
  readonly installedOn?: Maybe<string>;
  readonly remarks?: Maybe<readonly string[]>;
  /** When the plant was first connected, as stated by its owner. */
  readonly connectedAt?: Maybe<number>;
  /**
   * Whether the time zone was only assumed when the plant was created for another account. When that account accepts the plant, the plant gets the
   * account's time zone.
   */
  readonly zoneAwaitsOwner?: Maybe<boolean>;
}

export interface PersonRecord {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly email?: Maybe<string>;
  readonly mobile?: Maybe<string>;
}

export interface PlantRecord extends Measured {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  /** Kind of plant, `stationTypeNew` (interface W13): 0 grid, 1 storage, 3 EPM ... */
  readonly type: number;
  readonly capacityKwp: number;
  readonly currency: string;
  /** Current price of a kWh produced, in `currency`; some hours may have other prices. */
  readonly pricePerKwh?: Maybe<number>;
  /** Current prices of a kWh bought and of a kWh sold, in `currency`. */
  readonly buyPricePerKwh?: Maybe<number>;
  readonly sellPricePerKwh?: Maybe<number>;
  readonly address?: Maybe<string>;
  readonly latitude?: Maybe<number>;
  readonly longitude?: Maybe<number>;
  readonly tiltDegrees?: Maybe<number>;
  readonly azimuthDegrees?: Maybe<number>;
  readonly nmiCode?: Maybe<string>;
  readonly installer?: Maybe<PersonRecord>;
  readonly zone: ZoneRecord;
  readonly facts: PlantFacts;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly state: State;
  /** Whether it is offline when it should be online, and not merely because it is night. */
  readonly abnormallyOffline?: Maybe<boolean>;
  /** Undefined in records that do not say. */
  readonly connection?: Maybe<PlantConnection>;
  /** Time of the newest reading of the devices that measure power. */
  readonly measuredAt?: Maybe<number>;
  /** Undefined without prices, or without what they apply to. */
  readonly worth?: Maybe<PlantWorth>;
  /** Highest AC power of today. */
  readonly peakPowerW?: Maybe<number>;
  readonly peakPowerAt?: Maybe<number>;
  /** Time of the first reading and of the first power produced. */
  readonly firstReportAt?: Maybe<number>;
  readonly firstProductionAt?: Maybe<number>;
  readonly inverterCount?: Maybe<number>;
  readonly onlineInverterCount?: Maybe<number>;
  readonly epmCount?: Maybe<number>;
  readonly weatherCount?: Maybe<number>;
  /** Number of pending alarms. */
  readonly alarmCount?: Maybe<number>;
}

/** The plant as shown in its devices' records. */
export interface PlantSummary {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly type: number;
  readonly currency: string;
  readonly zone: ZoneRecord;
  readonly address?: Maybe<string>;
  readonly nmiCode?: Maybe<string>;
  readonly facts?: Pick<PlantFacts, 'feedIn' | 'country' | 'region' | 'city' | 'county'>;
}

/** The collector as shown in its devices' records. */
export interface CollectorSummary {
  readonly id: string;
  readonly sn: string;
  readonly name?: Maybe<string>;
  readonly model?: Maybe<string>;
  readonly state?: Maybe<'online' | 'offline'>;
}

/** Facts of a device that no query filters by: the column `device.facts`. */
export interface DeviceFacts {
  /** Single- or three-phase. */
  readonly phases?: Maybe<1 | 3>;
  /** Number of DC inputs. */
  readonly dcInputs?: Maybe<number>;
  readonly storage?: Maybe<boolean>;
  /** Model code, in addition to the model's name. */
  readonly modelCode?: Maybe<string>;
  /** Id of the profile by which its collector asks it. */
  readonly profile?: Maybe<string>;
  readonly firmwareVersion?: Maybe<string>;
  readonly secondFirmwareVersion?: Maybe<string>;
  /** Version of the display's firmware as hexadecimal text. */
  readonly displayVersion?: Maybe<string>;
  readonly gridStandard?: Maybe<string>;
  /** `inverterMeterModel` (interface W13). */
  readonly meterModel?: Maybe<number>;
  readonly batteryType?: Maybe<string>;
  readonly busAddress?: Maybe<string>;
  readonly tag?: Maybe<string>;
  readonly warrantyFromAt?: Maybe<number>;
  readonly warrantyUntilAt?: Maybe<number>;
}

/** The properties of every device's record. */
export interface DeviceRecord extends Measured {
  readonly id: string;
  readonly sn: string;
  readonly name?: Maybe<string>;
  readonly model?: Maybe<string>;
  readonly plant: PlantSummary;
  readonly collector?: Maybe<CollectorSummary>;
  readonly facts: DeviceFacts;
  readonly createdAt: number;
  readonly state: State;
  /** Whether it is offline when it should be online, and not merely because it is night. */
  readonly abnormallyOffline?: Maybe<boolean>;
}

export interface InverterRecord extends DeviceRecord {
  readonly ratedPowerW?: Maybe<number>;
  /** Highest AC power of today. */
  readonly peakPowerW?: Maybe<number>;
  readonly peakPowerAt?: Maybe<number>;
  /** Time of the first reading and of the first power produced. */
  readonly firstReportAt?: Maybe<number>;
  readonly firstProductionAt?: Maybe<number>;
}

/** One reading of an inverter in the chart of a day. */
export interface InverterDayRow {
  readonly at: number;
  /** Minutes by which the plant's clock was ahead of UTC at that time. */
  readonly offsetMinutes: number;
  readonly state?: Maybe<State>;
  readonly facts: Pick<DeviceFacts, 'phases' | 'dcInputs'>;
  readonly values: Values;
  /** Energy of the local day up to this reading (`todayKwh`), and of all time (`totalKwh`); the other periods are not set. */
  readonly energies: Energies;
}

/** One point in the chart of a plant's day: values over all of its devices. */
export interface PlantDayRow {
  readonly at: number;
  /** Minutes by which the plant's clock was ahead of UTC at that time. */
  readonly offsetMinutes: number;
  readonly currency: string;
  readonly values: Values;
  /** Energy of the local day up to this point (`todayKwh`); the other periods are not set. */
  readonly energies: Energies;
  /** Income of the local day up to this point. */
  readonly income?: Maybe<number>;
}

/** Energy and money of a plant or a device in one local day, month or year. */
export interface EnergyRow {
  /** Id of the plant or the device. */
  readonly id: string;
  /** First day of the period, yyyymmdd. */
  readonly day: number;
  /** Timestamp of the period: noon of that day in charts, midnight in lists of several plants. */
  readonly at: number;
  /** Minutes by which the plant's standard time is ahead of UTC. */
  readonly standardOffsetMinutes: number;
  readonly currency: string;
  /** Basis of the full-load hours: a plant's capacity, or an inverter's rated power. */
  readonly ratedKw?: Maybe<number>;
  readonly kwh: { readonly [C in Channel]?: Maybe<number> };
  /** Whether part of the energy produced is estimated or, without production, part of any energy. */
  readonly estimated?: Maybe<boolean>;
  /** Value of the energy produced, at the prices of that time. */
  readonly income?: Maybe<number>;
  /** Highest AC power of a day and when it was reached. */
  readonly peakPowerW?: Maybe<number>;
  readonly peakPowerAt?: Maybe<number>;
  /** Amounts paid for energy bought and earned by energy sold. */
  readonly importCost?: Maybe<number>;
  readonly exportIncome?: Maybe<number>;
  /** Of a plant: what did not have to be bought, at the price of buying, and what its energy was worth in all, as `PlantWorth`. */
  readonly saved?: Maybe<number>;
  readonly worth?: Maybe<number>;
}

/** The manufacturer's warranty of an inverter. */
export interface WarrantyRecord {
  readonly id: string;
  readonly sn: string;
  readonly fromAt?: Maybe<number>;
  readonly untilAt?: Maybe<number>;
  readonly state: 'inWarranty' | 'over' | 'unknown';
}

export type DeviceKind = 'inverter' | 'collector' | 'epm' | 'weather' | 'ammeter';

export interface AlarmRecord {
  readonly id: string;
  readonly plant: Pick<PlantSummary, 'id' | 'name'> & { readonly timeZone: string };
  readonly device: {
    readonly id: string;
    readonly kind: DeviceKind;
    readonly sn: string;
    readonly model?: Maybe<string>;
  };
  readonly level: 'tip' | 'general' | 'emergency';
  readonly code: string;
  readonly message: string;
  readonly advice?: Maybe<string>;
  readonly state: 'pending' | 'processed' | 'restored';
  readonly beginAt: number;
  readonly endAt?: Maybe<number>;
  /** When somebody took it on, and who: `account:ID` or `operator`. */
  readonly processedAt?: Maybe<number>;
  readonly processedBy?: Maybe<string>;
  /** E-mail address of that person, if the reader may know it. */
  readonly processedByEmail?: Maybe<string>;
  /** What that person says of it, and since when. */
  readonly note?: Maybe<string>;
  readonly notedAt?: Maybe<number>;
  /** Duration up to the end of the alarm, or up to now. */
  readonly durationMs: number;
}

/** Facts of a collector that no query filters by: the column `device.facts`. */
export interface CollectorFacts {
  readonly firmwareVersion?: Maybe<string>;
  readonly networkOperator?: Maybe<string>;
  readonly iccid?: Maybe<string>;
  readonly ssid?: Maybe<string>;
  readonly lanAddress?: Maybe<string>;
  /** Maximum number of devices for which it can report. */
  readonly deviceLimit?: Maybe<number>;
  readonly uploadIntervalSeconds?: Maybe<number>;
  readonly builtAt?: Maybe<number>;
  readonly tag?: Maybe<string>;
}

export interface CollectorRecord {
  readonly id: string;
  readonly sn: string;
  readonly name?: Maybe<string>;
  readonly model?: Maybe<string>;
  readonly plant: PlantSummary;
  readonly facts: CollectorFacts;
  readonly createdAt: number;
  readonly state: 'online' | 'offline';
  readonly abnormallyOffline?: Maybe<boolean>;
  readonly lastReportAt?: Maybe<number>;
  readonly signalDbm?: Maybe<number>;
  /** How far its clock is ahead of ours. */
  readonly clockOffsetSeconds?: Maybe<number>;
  /** Number of devices that report through it. */
  readonly deviceCount?: Maybe<number>;
}

/** One point of a collector's radio signal. */
export interface CollectorDayRow {
  readonly at: number;
  readonly offsetMinutes: number;
  readonly daylightMinutes: number;
  readonly collectorId: string;
  readonly collectorSn: string;
  readonly signalDbm?: Maybe<number>;
}

/** Facts of an EPM unit: the column `device.facts`. */
export interface EpmFacts extends DeviceFacts {
  readonly exportLimitW?: Maybe<number>;
  readonly currentTransformerRatio?: Maybe<number>;
  readonly failSafe?: Maybe<boolean>;
  readonly inverterCount?: Maybe<number>;
}

/**
 * An EPM unit, which limits export. `acPowerW` is the power of all inverters, and `gridPowerW` is the power at the grid connection. Phases are those
 * of the meter.
 */
export interface EpmRecord extends DeviceRecord {
  readonly facts: EpmFacts;
}

/** The readings of an EPM unit on one day, for the requested names. */
export interface EpmDay {
  readonly names: readonly EpmSeriesName[];
  readonly rows: readonly {
    readonly at: number;
    readonly offsetMinutes: number;
    readonly daylightMinutes: number;
    readonly values: Values;
  }[];
  readonly facts: EpmFacts;
}

export interface WeatherRecord extends DeviceRecord {
  /** Hours today with direct irradiance above 120 W/m². */
  readonly sunshineHours?: Maybe<number>;
}

/** Facts of an ammeter: the column `device.facts`. */
export interface AmmeterFacts extends DeviceFacts {
  readonly currentTransformer?: Maybe<string>;
  readonly protocol?: Maybe<string>;
}

export interface AmmeterRecord extends DeviceRecord {
  readonly facts: AmmeterFacts;
}

/** The state of a command. `verified` and all states after it are final. */
export const commandStates = [
  'queued',
  'sent',
  'confirmed',
  'verified',
  'failed',
  'refused',
  'expired',
  'cancelled',
  'superseded',
] as const;
export type CommandState = (typeof commandStates)[number];

/** A request to read or write a parameter of a device, and its outcome. */
export interface CommandRecord {
  readonly id: string;
  readonly sn: string;
  readonly action: 'read' | 'write';
  readonly parameter: string;
  readonly name: Maybe<string>;
  readonly state: CommandState;
  /** Why it did not succeed. */
  readonly reason: Maybe<string>;
  /** The value before the write. */
  readonly oldValue: Maybe<string>;
  readonly newValue: Maybe<string>;
  /** The value that was last read from the device. */
  readonly readValue: Maybe<string>;
  /** Who requested it: account, key, application or operator. */
  readonly by: string;
  /** E-mail address of that person, if the reader may know it. */
  readonly byEmail?: Maybe<string>;
  readonly door: string;
  readonly queuedAt: number;
  /** The time until which it may be sent. */
  readonly expiresAt: number;
  readonly sentAt: Maybe<number>;
  readonly confirmedAt: Maybe<number>;
  readonly endedAt: Maybe<number>;
  /** The command that it undoes. */
  readonly undoes: Maybe<string>;
  /** The strategy whose own step it is: it applies the strategy to the device, or gives a former setting back. */
  readonly strategyId: Maybe<string>;
}

/** A write that somebody other than the owner of the plant requested. */
export interface WriteByOthers extends CommandRecord {
  readonly plantId: string;
  /** Whether the owner has marked it as seen. */
  readonly seen: boolean;
}

/** A command whose outcome the caller can ask for later: when it was queued, and its id. */
export interface Order {
  readonly at: number;
  readonly id: string;
}

/** The outcome of a write to one device; `offline`: nothing was queued. */
export interface ControlItem {
  readonly sn: string;
  readonly order: Order | null;
  readonly state: CommandState | 'offline';
  readonly reason: string | null;
}

export interface ControlAnswer {
  readonly at: number;
  readonly items: readonly ControlItem[];
}

/** A parameter as read from a device. */
export interface ReadValue {
  readonly value: string;
  readonly raw: string | null;
}

/** `read` is null until the device has answered. */
export interface ReadAnswer {
  readonly at: number;
  readonly order: Order;
  readonly read: ReadValue | null;
}

export interface ReadBatchAnswer {
  readonly at: number;
  readonly items: readonly { readonly parameter: string; readonly read: ReadValue | null }[];
}

/** A parameter of one inverter of a plant that was named by its meter. */
export interface MeterReadItem {
  /** Meter id of the inverter’s plant. */
  readonly nmiCode: string | null;
  readonly sn: string;
  readonly parameter: string;
  /** null: the device did not tell it. */
  readonly read: ReadValue | null;
  /** Whether its collector is offline, so that it was not asked. */
  readonly offline: boolean;
  /** When the device was asked. */
  readonly sentAt: number | null;
}

export interface MeterReadAnswer {
  readonly at: number;
  readonly items: readonly MeterReadItem[];
}

export interface ResultAnswer {
  readonly at: number;
  readonly order: Order;
  readonly outcome: ReadValue | ControlItem | null;
}
