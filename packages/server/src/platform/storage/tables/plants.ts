import type { ShareLevel } from '@helioport/contract';
import type { DeviceTable } from './devices.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Flag, Instant, Json } from '../columns.ts';

export interface PlantTable {
  id: string;
  ownerId: string;
  name: string;
  type: number;
  capacityKwp: number;
  currency: string;
  /** Income per kWh produced, in `currency`, if there is no tariff; otherwise the base price of the tariff at the time when it was written. */
  pricePerKwh: number | null;
  /** Prices with validity periods; shape `Tariffs`. Written only by plants/tariffs/prices.ts. */
  tariffs: Generated<Json | null>;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  tiltDegrees: number | null;
  azimuthDegrees: number | null;
  /** How its modules are mounted, shape `PlantArray[]`; null = not entered. Written only by plants/arrays.ts. */
  arrays: Generated<Json | null>;
  nmiCode: string | null;
  installerId: string | null;
  /** The zone in force now; its history is in plantZone. */
  timeZone: string;
  /** Further facts that no query filters by; shape `PlantFacts`. */
  facts: Json;
  createdAt: Instant;
  updatedAt: Instant;
  archivedAt: Instant | null;
  /** When its owner stopped the writes of all others; null = they may write. */
  controlStoppedAt: Generated<Instant | null>;
  /** What its owner lets strategies do, shape `StrategyLimits`; null = anything. */
  strategyLimits: Generated<Json | null>;
  /** After how many days its readings are deleted, and thinned to one in how many minutes; null = as the settings say. */
  readingsKeptDays: Generated<number | null>;
  readingsThinnedDays: Generated<number | null>;
  readingsThinnedMinutes: Generated<number | null>;
  /** The newest write of somebody else (command.id) that its owner has seen; null = none. */
  writesSeen: Generated<string | null>;
  /** 1 online, 2 offline, 3 alarm, 4 building; follows from the counts below, which plants/presence.ts maintains. */
  state: Generated<number>;
  stateSince: Generated<Instant>;
  deviceCount: Generated<number>;
  onlineDevices: Generated<number>;
  alarmDevices: Generated<number>;
  /** Devices that are offline when they should not be. */
  abnormalDevices: Generated<number>;
}

export interface PlantZoneTable {
  plantId: string;
  fromAt: Instant;
  timeZone: string;
}

/** Who may see a plant: its owner (one row) and those it is shared with. Written only by plants/access.ts, plants/ended-access.ts and plants/companies/access.ts. */
export interface PlantAccessTable {
  accountId: string;
  plantId: string;
  /** The higher of the two below: what every check reads. */
  level: 'owner' | ShareLevel;
  /** What the account may by itself; null = nothing. */
  ownLevel: Generated<'owner' | ShareLevel | null>;
  /** What it may because it belongs to a company; null = nothing. */
  companyLevel: Generated<ShareLevel | null>;
  createdAt: Instant;
  /** Since when the level is above `read`, if it was not from the beginning. */
  raisedAt: Generated<Instant | null>;
}

/** An account whose access to a plant has ended. */
export interface EndedAccessTable {
  accountId: string;
  plantId: string;
  /** Its name at that time. */
  plantName: string;
  endedAt: Instant;
  /** When an e-mail told of it, or none was needed. */
  notifiedAt: Instant | null;
}

/** The figures by which lists of plants are sorted and added up; its keys, state and capacity change with the plant (plants/standings). */
export interface PlantStandingTable {
  plantId: string;
  /** '' = not worked out yet, like the next one. */
  nameKey: string;
  searchKey: string;
  /** As `plant.state`. */
  state: number;
  /** 1 = it has alarms that nobody has taken on. */
  unattended: Generated<number>;
  capacityKwp: number;
  /** Unknown while the plant is offline. */
  powerW: Generated<number | null>;
  dayKwh: Generated<number | null>;
  monthKwh: Generated<number | null>;
  yearKwh: Generated<number | null>;
  totalKwh: Generated<number | null>;
  /** kWh per kWp of the day before the plant's own day; unknown if nothing was measured, or without a rated power. */
  yesterdayFullHours: Generated<number | null>;
  /** Of the last 30 days with figures of what it should have produced. */
  recentExpectedKwh: Generated<number | null>;
  recentProducedKwh: Generated<number | null>;
  recentLostKwh: Generated<number | null>;
  /** Losses that applications were told of, shape `OpenLoss[]`. */
  openLosses: Generated<Json>;
  dayWorth: Generated<number | null>;
  monthWorth: Generated<number | null>;
  yearWorth: Generated<number | null>;
  totalWorth: Generated<number | null>;
  /** When the plant's own day, month and year end for which the figures were worked out. */
  dayEndsAt: Instant;
  monthEndsAt: Instant;
  yearEndsAt: Instant;
  /** 0 = never. */
  workedOutAt: Instant;
  dueAt: Instant;
  /** When its losses are next looked at; 0 = they never were. */
  lossesDueAt: Generated<Instant>;
}

/**
 * How many plants, devices or alarms in some state an account may see: the sum of
 * `amount` in these rows. Changes are appended, and a task folds them into fewer rows.
 */
export interface VisibleCountTable {
  no: GeneratedAlways<number>;
  accountId: string;
  /** 1 for those in plants that the account owns. */
  owned: Flag;
  kind: DeviceTable['kind'] | 'plant' | 'alarm';
  state: number;
  amount: number;
  folded: Flag;
}

/** An offer from one account to another concerning a plant. Either `email` or `accountId` names the invitee. */
export interface InvitationTable {
  id: string;
  plantId: string;
  /** The plant’s name when it was sent or answered. */
  plantName: string;
  fromAccountId: string;
  /** Normalized, like all stored e-mail addresses. */
  email: string | null;
  accountId: string | null;
  kind: 'share' | 'installer' | 'owner';
  /** Only for a share, or an offer to own the plant. */
  level: ShareLevel | null;
  /** An open invitation has expired once `expiresAt` has passed. */
  state: 'open' | 'accepted' | 'declined' | 'withdrawn';
  createdAt: Instant;
  expiresAt: Instant;
  answeredAt: Instant | null;
  /** The company that it was accepted for. */
  companyId: string | null;
}
