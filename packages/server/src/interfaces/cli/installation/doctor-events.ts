import { findHeld } from '../../../platform/events/held.ts';
import type { CliContext } from '../context.ts';
import { ok, warning, type DoctorFinding } from './finding.ts';

/** Transactions of our own end sooner. */
const TOLERANCE_MS = 60_000;

/** Looks whether an open transaction holds events back. */
export async function checkEvents(context: CliContext): Promise<DoctorFinding> {
  const { db } = await context.storage();
  const held = await findHeld(db);
  const heldMs = held ? context.clock.now() - held.since : 0;
  if (!held || heldMs < TOLERANCE_MS) return ok('no event is held back');
  const text = `no events have been forwarded for ${Math.round(heldMs / 1000)} s, because a write transaction is open`;
  const { pid, database, program } = held.by;
  if (pid === null)
    return warning(
      `${text}: the prepared transaction ${program} of the database ${database}; commit prepared or rollback prepared ends it`,
    );
  return warning(
    `${text}: process ${pid} in the database ${database}${program === '' ? '' : ` (${program})`}; select pg_terminate_backend(${pid}) ends it`,
  );
}
