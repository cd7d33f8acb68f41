import type { Generated } from 'kysely';
import type { DeviceTable } from './devices.ts';
import type { Instant } from '../columns.ts';

export interface AlarmTable {
  id: string;
  deviceId: string;
  /** The plant in which the device was when the alarm was raised. */
  plantId: string;
  sn: string;
  kind: DeviceTable['kind'];
  code: string;
  /** 1 tip, 2 general, 3 emergency. */
  level: number;
  message: string;
  beginAt: Instant;
  /** The local day of the plant on which it began, yyyymmdd. */
  beginDay: number;
  endAt: Instant | null;
  /** The local day of the plant on which it ended, yyyymmdd. */
  endDay: number | null;
  /** 0 pending, 1 processed, 2 restored. */
  state: number;
  processedAt: Instant | null;
  /** Who took it on: an actor of the audit trail. */
  processedBy: string | null;
  /** What was lost so far through what it is about; null = not known. */
  lostKwh: Generated<number | null>;
  lostAmount: Generated<number | null>;
  /** What that person says of it, and since when. */
  note: string | null;
  notedAt: Instant | null;
}
