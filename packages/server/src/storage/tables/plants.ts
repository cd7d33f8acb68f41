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
  /** Income per kWh produced, in `currency`, where no tariff tells it; else the base price of the tariff when it was written. */
  pricePerKwh: number | null;
  /** Prices with validity; shape `Tariffs`. Kept by plants/prices.ts alone. */
  tariffs: Generated<Json | null>;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  tiltDegrees: number | null;
  azimuthDegrees: number | null;
  nmiCode: string | null;
  installerId: string | null;
  /** The zone in force now; its history is in plantZone. */
  timeZone: string;
  /** Further facts that no query filters by; shape `PlantFacts`. */
  facts: Json;
  createdAt: Instant;
  updatedAt: Instant;
  archivedAt: Instant | null;
  /** 1 online, 2 offline, 3 alarm, 4 building; follows from the counts below, which plants/presence.ts keeps. */
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

/** Who may see a plant: its owner (one row) and those it is shared with. Kept by plants/access.ts alone. */
export interface PlantAccessTable {
  accountId: string;
  plantId: string;
  level: 'owner' | 'control' | 'read';
  createdAt: Instant;
}

/** How many things of a kind and state an account may see: the sum of the rows. Appended to, folded by a task. */
export interface VisibleCountTable {
  no: GeneratedAlways<number>;
  accountId: string;
  /** In plants of the account's own. */
  owned: Flag;
  kind: DeviceTable['kind'] | 'plant' | 'alarm';
  state: number;
  amount: number;
  folded: Flag;
}

/** Where in the lists of an account which place is: see migration 0006. */
export interface VisibleSpanTable {
  no: GeneratedAlways<number>;
  accountId: string;
  kind: DeviceTable['kind'] | 'plant';
  fromId: string;
  amount: number;
  /** Of these, in plants of the account's own. */
  ownedAmount: number;
  folded: Flag;
}

/** What one account offers another about a plant. Either `email` or `accountId` says whom. */
export interface InvitationTable {
  id: string;
  plantId: string;
  fromAccountId: string;
  /** In the form in which addresses are kept. */
  email: string | null;
  accountId: string | null;
  kind: 'share' | 'installer' | 'owner';
  /** Of a share. */
  level: 'read' | 'control' | null;
  /** An open one whose time is over has expired. */
  state: 'open' | 'accepted' | 'declined' | 'withdrawn';
  createdAt: Instant;
  expiresAt: Instant;
  answeredAt: Instant | null;
}
