import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { WakeUps } from '../../platform/storage/wake-ups/port.ts';
import { createBell } from '../../platform/work/bell.ts';
import type { Command } from './life-cycle.ts';
import { COMMANDS } from './open-commands.ts';

/** How callers wait for the outcome of their commands. */
export interface Patience {
  readonly wakeUps: Pick<WakeUps, 'on'>;
  /** In milliseconds. */
  readonly limitMs: number;
}

/** How often to check without a wake-up, since wake-ups may be lost. */
const LOOK_MS = 1_000;

/** The commands with these ids, in the order of the ids, as soon as all of them are done or the time is up; at once without patience. */
export async function awaitOutcome(
  db: Db,
  patience: Patience | undefined,
  ids: readonly string[],
  isDone: (command: Command) => boolean,
): Promise<Command[]> {
  const bell = createBell();
  const sleepOn = patience?.wakeUps.on(COMMANDS, bell.ring);
  const over = AbortSignal.timeout(patience?.limitMs ?? 0);
  over.addEventListener('abort', bell.ring);
  try {
    for (;;) {
      const commands = await findCommands(db, ids);
      if (!patience || over.aborted || commands.every(isDone)) return commands;
      await bell.wait(LOOK_MS);
    }
  } finally {
    sleepOn?.();
    over.removeEventListener('abort', bell.ring);
  }
}

/** Commands by id, in the order of the ids; unknown ids are left out. */
export async function findCommands(db: Db, ids: readonly string[]): Promise<Command[]> {
  const rows = await db
    .selectFrom('command')
    .selectAll()
    .where(anyOf(db, 'id', listParameter(db, ids)))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
