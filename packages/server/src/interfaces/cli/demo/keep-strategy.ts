import { DAY_MS } from '@helioport/contract/durations';

/** Asks an operation with the application's token; `code` is '0' unless it refuses. */
export type AskOperation = (
  id: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<{ readonly code: string; readonly data: unknown }>;

const WEEK_MS = 7 * DAY_MS;
/** How long before the end of a week the next one is arranged, so that one follows the other without a gap. */
const AHEAD_MS = 3_600_000;

/** Charges with the cheap energy of the night, and supplies the house in the evening. */
const PLAN = [
  { start: '01:00', end: '05:00', payload: { type: 'charge', socPercent: 60, powerKw: 1.5 } },
  { start: '17:30', end: '21:30', payload: { type: 'discharge', socPercent: 25, powerKw: 2 } },
];

interface Listed {
  readonly id: string;
  readonly state: string;
}

/**
 * Sees to it that a battery follows a strategy: one per week, which ends with the week. One that its owner has stopped is not dispatched again before the
 * next week, and nothing is dispatched while the owner allows nothing.
 * @param sn serial number of the battery's inverter
 */
export async function keepStrategy(ask: AskOperation, sn: string, now: number): Promise<void> {
  for (const start of new Set([weekOf(now), weekOf(now + AHEAD_MS)])) {
    const strategy = await strategyOf(ask, sn, start, now);
    if (strategy?.state === 'draft') await ask('strategy/dispatch', { id: strategy.id });
  }
}

const weekOf = (at: number): number => Math.floor(at / WEEK_MS) * WEEK_MS;

/** The strategy of a week, which is created unless it is known. Undefined if it could not be dispatched. */
async function strategyOf(
  ask: AskOperation,
  sn: string,
  start: number,
  now: number,
): Promise<Listed | undefined> {
  const reference = `week-${new Date(start).toISOString().slice(0, 10)}`;
  const listed = await ask('strategy/list', { reference });
  if (listed.code !== '0') return undefined;
  const [known] = listed.data as Listed[];
  if (known) return known;
  const end = start + WEEK_MS;
  const request = {
    reference,
    name: 'Evening peak',
    program: 'Time of use',
    sn,
    ...(start > now && { start }),
    end,
    intervals: PLAN,
  };
  // Nothing is created that could not be dispatched: it would stay a draft.
  if ((await ask('strategy/validate', request)).code !== '0') return undefined;
  const created = await ask('strategy/create', request);
  return created.code === '0' ? (created.data as Listed) : undefined;
}
