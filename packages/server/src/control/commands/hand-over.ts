import type { Clock } from '../../platform/kernel/clock.ts';
import { storeAsSender, type ReportSender } from '../../fleet/collectors/authenticate.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { countWrites, writtenTooOften } from './budget.ts';
import { instructionOf, type HandedInstruction } from './instruction.ts';
import { handOver, type Command, type CommandProgress } from './life-cycle.ts';
import { advance, lockCommands, type CommandedDevice } from './open-commands.ts';
import { findParameter } from './parameters.ts';
import { whyNotAllowed } from './rights.ts';

/** Devices served in one call; the next call serves the others. */
const DEVICES_AT_ONCE = 50;

const due = (db: Db, now: Instant) =>
  db
    .selectFrom('command')
    .innerJoin('device', 'device.id', 'command.deviceId')
    .where('command.endedAt', 'is', null)
    .where('command.nextAt', '<=', now)
    // A device carries out one command at a time. interface C13
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('command as busy')
            .select('busy.id')
            .whereRef('busy.deviceId', '=', 'command.deviceId')
            .where('busy.endedAt', 'is', null)
            .where('busy.turn', '>', 0)
            .where('busy.nextAt', '>', now),
        ),
      ),
    );

/** The collectors with devices for which an instruction is due. */
export async function listCalled(db: Db, now: Instant): Promise<Set<string>> {
  const rows = await due(db, now)
    .select('device.collectorId')
    .distinct()
    .where('device.collectorId', 'is not', null)
    .execute();
  return new Set(rows.map(({ collectorId }) => collectorId!));
}

/**
 * Hands over the instructions that are due for the devices of a collector: one for each device, in the order of their commands. A command
 * that may no longer be sent ends here. A write is handed over once. Throws notAuthenticated, collectorRefused.
 */
export async function takeInstructions(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  sender: ReportSender,
): Promise<HandedInstruction[]> {
  const found = await due(db, clock.now())
    .select('device.id')
    .distinct()
    .where('device.collectorId', '=', sender.collectorId)
    .orderBy('device.id')
    .limit(DEVICES_AT_ONCE)
    .execute();
  const instructions: HandedInstruction[] = [];
  for (const { id } of found) {
    const now = clock.now();
    const instruction = await storeAsSender<HandedInstruction | undefined>(
      db,
      (work) => db.transaction().execute(work),
      { sender, now },
      async (trx) => {
        const commanded = await lockCommands(trx, id, now);
        return commanded.device.collectorId === sender.collectorId
          ? handOverNext(trx, commanded, sender.collectorId, now)
          : undefined;
      },
    );
    if (instruction) instructions.push(instruction);
  }
  return instructions;
}

async function handOverNext(
  trx: Db,
  { device, commands }: CommandedDevice,
  collectorId: string,
  now: Instant,
): Promise<HandedInstruction | undefined> {
  const underWay = commands.filter(({ turn }) => turn > 0);
  for (const command of [...underWay, ...commands.filter(({ turn }) => turn === 0)]) {
    if (command.nextAt > now) return undefined;
    const refused = await refusal(trx, device, command, now);
    if (refused) {
      await advance(trx, command, refused, now);
      continue;
    }
    return instructionOf(
      device,
      await advance(trx, command, handOver(command, collectorId, now), now),
      findParameter(device, command.parameter)?.hold ? await heldMs(trx, command, now) : null,
    );
  }
  return undefined;
}

/** How long a strategy wants what it writes to hold; null: no strategy writes it. */
async function heldMs(
  trx: Db,
  { strategyId, strategyPart }: Command,
  now: Instant,
): Promise<number | null> {
  if (strategyId === null || strategyPart !== 'apply') return null;
  const strategy = await trx
    .selectFrom('strategy')
    .select('endAt')
    .where('id', '=', strategyId)
    .executeTakeFirst();
  return strategy ? Math.max(0, strategy.endAt - now) : null;
}

/** The end of a command that may no longer be sent; undefined if it may be. A written one is read back even if its requester has lost the right to it, unless the device has left the plant. */
async function refusal(
  trx: Db,
  device: CommandedDevice['device'],
  command: Command,
  now: Instant,
): Promise<CommandProgress | undefined> {
  if (command.step === 'verify') {
    if (device.plantId === command.plantId) return undefined;
    return {
      state: 'failed',
      reason: 'the device left the plant before it was read back',
      endedAt: now,
    };
  }
  const reason =
    (await whyNotAllowed(trx, command, device.plantId, now)) ??
    (await whyNotWritable(trx, device, command, now));
  return reason === undefined ? undefined : { state: 'refused', reason, endedAt: now };
}

async function whyNotWritable(
  trx: Db,
  device: CommandedDevice['device'],
  { step, parameter: id }: Command,
  now: Instant,
): Promise<string | undefined> {
  const parameter = findParameter(device, id);
  if (!parameter) return 'the device does not have this parameter';
  if (step !== 'write') return undefined;
  return (await countWrites(trx, device.id, parameter.cell, now)) < parameter.writesPerDay
    ? undefined
    : writtenTooOften(parameter);
}
