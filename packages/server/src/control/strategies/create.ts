import { TARGETS_AT_MOST, type StrategyContent } from '@helioport/contract';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import type { ApplicationCaller } from '../../identity/accounts/caller.ts';
import { Failure, invalidValue } from '../../platform/kernel/failure.ts';
import { reachOf } from '../../fleet/plants/access.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import { checkTargets, isMeant, readContent, type GivenContent } from './content.ts';
import type { Strategy } from './strategy.ts';
import { getNamedTargets, getTargetsOfPlants, type Target } from './targets.ts';

/** A strategy as an application asks for it. */
export interface NewStrategy extends GivenContent {
  readonly reference: string;
  readonly name: string;
  readonly program?: string | undefined;
  readonly priority?: number | undefined;
  readonly plantIds?: readonly string[] | undefined;
  readonly serialNumbers?: readonly string[] | undefined;
  readonly start?: Instant | undefined;
  readonly end: Instant;
  readonly heartbeatSeconds?: number | undefined;
}

/** What a request means, after everything that could be wrong with it. */
export interface CheckedStrategy {
  readonly content: StrategyContent;
  readonly startAt: Instant;
  readonly endAt: Instant;
  readonly targets: readonly Target[];
}

/** How far the clock of an application may be behind. */
const PAST_MS = 60_000;
const LONGEST_MS = 366 * 86_400_000;
const ROWS_AT_ONCE = 500;

/** Checks when a strategy begins and ends. Throws invalidValue. */
export function checkPeriod(start: Instant, end: Instant, now: Instant): void {
  if (start < now - PAST_MS) throw invalidValue('start', 'a time that has not passed');
  if (end <= start) throw invalidValue('end', 'a time after the start');
  if (end - start > LONGEST_MS)
    throw invalidValue('end', 'a time at most 366 days after the start');
}

/** Checks a request without storing anything. Throws missingParameter, invalidValue, noPermission, deviceUnknown. */
export async function checkStrategy(
  db: Db,
  caller: ApplicationCaller,
  given: NewStrategy,
  now: Instant,
): Promise<CheckedStrategy> {
  const { plantIds, serialNumbers, start: startAt = now, end: endAt } = given;
  const reach = reachOf(caller, 'control');
  checkPeriod(startAt, endAt, now);
  const content = readContent(given);
  if (!plantIds && !serialNumbers)
    throw new Failure('missingParameter', {
      data: { field: 'plantIds', expected: 'one of plantIds, sn' },
    });
  const named = serialNumbers ? await getNamedTargets(db, reach, serialNumbers) : [];
  const ofPlants = plantIds ? await getTargetsOfPlants(db, reach, plantIds) : [];
  const meant = ofPlants.filter((target) => isMeant(content, target));
  for (const plantId of plantIds ?? []) {
    const own = ofPlants.filter((target) => target.plantId === plantId);
    if (meant.some((target) => target.plantId === plantId)) continue;
    // Says what is missing.
    checkTargets(content, own);
    throw invalidValue(
      'plantIds',
      `plants with a device that can be controlled, unlike ${plantId}`,
    );
  }
  const targets = [
    ...new Map([...named, ...meant].map((target) => [target.id, target])).values(),
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (targets.length > TARGETS_AT_MOST)
    throw invalidValue('plantIds', `plants with at most ${TARGETS_AT_MOST} devices together`);
  checkTargets(content, targets);
  return { content, startAt, endAt, targets };
}

/** The strategy that an application created with the same request. Throws referenceTaken if it used the reference for another one. */
export async function findRepeated(
  db: Db,
  { applicationId, accountId }: ApplicationCaller,
  given: NewStrategy,
): Promise<Strategy | undefined> {
  const known = await db
    .selectFrom('strategy')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('accountId', '=', accountId)
    .where('reference', '=', given.reference)
    .executeTakeFirst();
  if (known && known.request !== requestText(given)) throw new Failure('referenceTaken');
  return known;
}

/** A text that is equal for equal requests, however their intervals are spelled. */
const requestText = (given: NewStrategy): string =>
  JSON.stringify({
    ...given,
    ...(given.intervals && { content: readContent(given), intervals: undefined }),
  });

/** Stores a strategy that has been checked, as a draft, and returns it; or the one that was created with the same request. Throws referenceTaken. */
export async function insertStrategy(
  trx: Db,
  act: Act,
  caller: ApplicationCaller,
  given: NewStrategy,
  checked: CheckedStrategy,
): Promise<Strategy> {
  const { applicationId, accountId, grantId } = caller;
  const { reference, name, program = null, priority = null, heartbeatSeconds = null } = given;
  const { content, startAt, endAt, targets } = checked;
  await withinBounds(trx, 'strategies', { applicationId, accountId }, act);
  const [id, at] = [act.newId(), act.at];
  const about = {
    reference,
    name,
    program,
    priority,
    heartbeatSeconds,
    request: requestText(given),
    content: JSON.stringify(content),
  };
  const strategy = await trx
    .insertInto('strategy')
    .values({ id, applicationId, accountId, grantId, ...about, startAt, endAt, createdAt: at })
    .onConflict((conflict) =>
      conflict.columns(['applicationId', 'accountId', 'reference']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  // Another request was quicker.
  if (!strategy) return (await findRepeated(trx, caller, given))!;
  for (let from = 0; from < targets.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('strategyDevice')
      .values(
        targets.slice(from, from + ROWS_AT_ONCE).map((target) => ({
          strategyId: id,
          deviceId: target.id,
          plantId: target.plantId,
          state: 'draft' as const,
        })),
      )
      .execute();
  }
  await recordAudit(trx, act, {
    kind: 'strategy.created',
    accountId,
    data: { strategyId: id, applicationId, name, devices: targets.length },
  });
  return strategy;
}
