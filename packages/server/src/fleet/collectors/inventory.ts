import { measuringKinds } from '@helioport/contract';
import { lockDeviceRows } from '../plants/lock.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import {
  DESCRIBED,
  describeDevice,
  type Described,
  type Description,
} from '../devices/description.ts';
import { isSerialNumber, SERIAL_NUMBER_FAULT } from '../devices/serial-number.ts';
import { storeAsSender, type ReportSender } from './authenticate.ts';
import { linkFault, linkOf } from './link.ts';
import type { CollectorOutcome } from './outcome.ts';
import { UnreadableSection } from './report-sections.ts';
import { rememberRefusals } from './refusals.ts';

/** A device in a collector's inventory, as reported. */
export interface ReportedDevice extends Description {
  readonly sn: string;
}

interface Refused {
  readonly index: number;
  readonly reason: string;
  readonly sn?: string;
  readonly description?: Description;
}

const TEXT = /^\P{Cc}{1,100}$/u;
const HEXADECIMAL = /^[0-9a-f]{1,8}$/i;
/** The highest rated power that is accepted; no single device has more. */
const RATED_POWER_AT_MOST_W = 10_000_000;
const STRINGS_AT_MOST = 32;
const PARAMETERS = /^[1-9]\d{0,4}(,[1-9]\d{0,4}){0,19}$/;

/**
 * Stores the descriptions that a collector reports of its devices or itself. What the owner entered takes precedence: only facts that are
 * unknown or came from an earlier description are changed. Descriptions of devices that are not bound yet are refused, and remembered until they are
 * bound. Each element should be a ReportedDevice. Throws what storeAsSender throws.
 */
export async function storeInventory(
  db: Db,
  sender: ReportSender,
  devices: readonly unknown[],
  now: Instant,
): Promise<CollectorOutcome> {
  const refused: Refused[] = [];
  const described = new Map<string, { index: number; description: Description }>();
  for (const [index, device] of devices.entries()) {
    const reason = faultOf(device);
    if (reason !== undefined) refused.push({ index, reason });
    else {
      const { sn } = device as ReportedDevice;
      described.set(sn, { index, description: descriptionOf(device as ReportedDevice) });
    }
  }
  const outcome = await storeAsSender<{ accepted: number; foreign: Refused[] }>(
    db,
    (work) => db.transaction().execute(work),
    { sender, now },
    async (trx, { ownerId }) => {
      const found = await findOwn(trx, { ...sender, ownerId }, [...described.keys()]);
      const foreign = [...described]
        .filter(([sn]) => !found.has(sn))
        .map(([sn, { index, description }]) => ({ index, sn, reason: FOREIGN, description }));
      const added = [...found].filter(
        ([sn, { reported }]) => reported !== JSON.stringify(described.get(sn)!.description),
      );
      await lockDeviceRows(
        trx,
        added.map(([, { id }]) => id),
      );
      let accepted = 0;
      // The devices are read again under the lock, since somebody may have entered facts in the meantime.
      for (const [sn, device] of await findOwn(
        trx,
        { ...sender, ownerId },
        added.map(([known]) => known),
      ))
        accepted += (await describeDevice(trx, device, described.get(sn)!.description, now))
          ? 1
          : 0;
      if (refused.length + foreign.length > 0)
        await rememberRefusals(trx, sender.collectorId, [...refused, ...foreign], now);
      return { accepted, foreign };
    },
  );
  const { accepted } = outcome;
  refused.push(...outcome.foreign);
  const answers = refused
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, reason }) => ({ index, reason }));
  return { accepted, duplicate: devices.length - accepted - refused.length, refused: answers };
}

// Unknown serial numbers and those of other collectors' devices get the same answer.
const FOREIGN = 'no device with this serial number is bound to this collector';

/** The devices that a sender reports for and that belong to its owner, by serial number. */
async function findOwn(
  trx: Db,
  { collectorId, ownerId }: ReportSender & { ownerId: string },
  serialNumbers: readonly string[],
): Promise<Map<string, Described & { readonly sn: string }>> {
  const devices = await trx
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .select(['device.sn', ...DESCRIBED])
    .where(anyOf(trx, 'device.sn', listParameter(trx, serialNumbers)))
    .where((eb) =>
      eb.or([eb('device.collectorId', '=', collectorId), eb('device.id', '=', collectorId)]),
    )
    .where('plant.ownerId', '=', ownerId)
    .execute();
  return new Map(devices.map((device) => [device.sn, device]));
}

/** What is kept of a description: nothing but what it may have. */
function descriptionOf({
  kind,
  model,
  modelCode,
  profile,
  firmware,
  displayVersion,
  ratedPowerW,
  strings,
  holds,
  link,
}: ReportedDevice): Description {
  return {
    kind,
    model,
    modelCode,
    profile,
    firmware,
    displayVersion,
    ratedPowerW,
    strings,
    ...(holds !== undefined && { holds }),
    ...(link && { link: linkOf(link) }),
  };
}

function faultOf(device: unknown): string | undefined {
  if (device instanceof UnreadableSection) return device.reason;
  if (typeof device !== 'object' || device === null || Array.isArray(device))
    return 'a device must be an object {sn, kind, model, modelCode, profile, firmware, displayVersion, ratedPowerW, strings, holds, link}';
  const {
    sn,
    kind,
    model,
    modelCode,
    profile,
    firmware,
    displayVersion,
    ratedPowerW,
    strings,
    holds,
    link,
  } = device as Record<string, unknown>;
  if (!isSerialNumber(sn)) return SERIAL_NUMBER_FAULT;
  if (kind !== undefined && !(measuringKinds as readonly unknown[]).includes(kind))
    return `kind must be one of ${measuringKinds.join(', ')}`;
  for (const [name, text] of Object.entries({ model, modelCode, profile, firmware })) {
    if (text !== undefined && !(typeof text === 'string' && TEXT.test(text) && text.isWellFormed()))
      return `${name} must be text of 1 to 100 characters without control characters`;
  }
  if (
    displayVersion !== undefined &&
    !(typeof displayVersion === 'string' && HEXADECIMAL.test(displayVersion))
  )
    return 'displayVersion must be text of 1 to 8 hexadecimal digits';
  if (
    ratedPowerW !== undefined &&
    !(typeof ratedPowerW === 'number' && ratedPowerW > 0 && ratedPowerW <= RATED_POWER_AT_MOST_W)
  )
    return `ratedPowerW must be a power in watts, at most ${RATED_POWER_AT_MOST_W}`;
  if (
    strings !== undefined &&
    !(
      Number.isInteger(strings) &&
      (strings as number) >= 1 &&
      (strings as number) <= STRINGS_AT_MOST
    )
  )
    return `strings must be a whole number from 1 to ${STRINGS_AT_MOST}`;
  if (holds !== undefined && !(typeof holds === 'string' && PARAMETERS.test(holds)))
    return 'holds must be text with numbers of parameters, separated by commas';
  return link === undefined ? undefined : linkFault(link);
}
