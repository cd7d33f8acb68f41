import type { DeviceFacts, DeviceLinkRecord, measuringKinds } from '@helioport/contract';
import { requestRecalculationOfDevices } from '../plants/tariffs/recalculation.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';

/** A device's description of itself; unknown fields are absent. */
export interface Description {
  /** What it is, for the person who binds it. A device that is bound stays what it is. */
  readonly kind?: (typeof measuringKinds)[number];
  readonly model?: string;
  /** Code of its model, where it has one beside the name. */
  readonly modelCode?: string;
  /** Id of the profile by which its collector asks it. */
  readonly profile?: string;
  /** Version of its firmware. */
  readonly firmware?: string;
  /** Version of its display's firmware, hexadecimal text. */
  readonly displayVersion?: string;
  readonly ratedPowerW?: number;
  /** Number of its string inputs. */
  readonly strings?: number;
  /** Parameters that it forgets by itself, and that its collector repeats, separated by commas. */
  readonly holds?: string;
  /** How its collector reaches it. */
  readonly link?: DeviceLinkRecord;
}

/** What is known about a device that may describe itself. */
export interface Described {
  readonly id: string;
  readonly model: string | null;
  readonly ratedPowerW: number | null;
  readonly facts: string;
  /** The description in the previous report, as JSON. */
  readonly reported: string | null;
}

/** A description that was kept as JSON; null = none. */
export const readDescription = (described: string | null): Description =>
  JSON.parse(described ?? '{}') as Description;

/** How a device’s collector reaches it, as it said last. */
export async function findLink(db: Db, deviceId: string): Promise<DeviceLinkRecord | undefined> {
  const row = await db
    .selectFrom('device')
    .select('reported')
    .where('id', '=', deviceId)
    .executeTakeFirst();
  return readDescription(row?.reported ?? null).link;
}

export const DESCRIBED = [
  'device.id',
  'device.model',
  'device.ratedPowerW',
  'device.facts',
  'device.reported',
] as const;

/** Applies a description to a device, whose row must be locked. What the owner entered takes precedence. Returns whether it differs from the previous one. */
export async function describeDevice(
  trx: Db,
  device: Described,
  description: Description,
  now: Instant,
): Promise<boolean> {
  const reported = JSON.stringify(description);
  if (reported === device.reported) return false;
  const before = readDescription(device.reported);
  const facts = JSON.parse(device.facts) as DeviceFacts;
  const next = <T>(
    known: T | null | undefined,
    formerly: T | undefined,
    described: T | undefined,
  ): T | null | undefined =>
    described !== undefined && (known == null || known === formerly) ? described : known;
  const ratedPowerW = next(device.ratedPowerW, before.ratedPowerW, description.ratedPowerW) ?? null;
  await trx
    .updateTable('device')
    .set({
      model: next(device.model, before.model, description.model) ?? null,
      ratedPowerW,
      facts: JSON.stringify({
        ...facts,
        modelCode: next(facts.modelCode, before.modelCode, description.modelCode),
        profile: next(facts.profile, before.profile, description.profile),
        firmwareVersion: next(facts.firmwareVersion, before.firmware, description.firmware),
        displayVersion: next(
          facts.displayVersion,
          before.displayVersion,
          description.displayVersion,
        ),
        dcInputs: next(facts.dcInputs, before.strings, description.strings),
        // Nobody but the collector knows.
        holds: description.holds,
      }),
      reported,
    })
    .where('id', '=', device.id)
    .execute();
  // The plausibility of counters depends on the rated power.
  if (ratedPowerW !== device.ratedPowerW)
    await requestRecalculationOfDevices(trx, [device.id], now);
  return true;
}
