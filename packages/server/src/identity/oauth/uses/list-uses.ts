import { DAY_MS } from '@helioport/contract/durations';
import { sql } from 'kysely';
import { Failure } from '../../../platform/kernel/failure.ts';
import { firstIdAt } from '../../../platform/kernel/ids.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { dayIn } from './count-uses.ts';

/** What an application did on one day of the owner's calendar. */
export interface DayOfUse {
  /** yyyy-mm-dd. */
  readonly day: string;
  /** Requests that read, and requests that change something. */
  readonly reads: number;
  readonly writes: number;
  /** Settings of devices that it asked to be written. */
  readonly commands: number;
  /** Events that it was sent as they happened. */
  readonly forwarded: number;
}

/** Days that are shown, and for which counts are kept. */
const DAYS_SHOWN = 30;
const DAYS_KEPT = 90;

/** All offsets of time zones are whole numbers of it. */
const QUARTER_MS = 900_000;

/**
 * What the application of an authorization did in the last 30 days, or in the last 30 before the authorization ended, newest first, without days on which it
 * did nothing. Of the day on which another authorization of the same application ended or began, requests and events are those of both.
 * Throws noPermission for a grant of another account; `accountId`: null = any account’s.
 */
export async function listUses(
  db: Db,
  grantId: string,
  accountId: string | null,
  now: Instant,
): Promise<DayOfUse[]> {
  const found = db
    .selectFrom('oauthGrant as g')
    .innerJoin('account', 'account.id', 'g.accountId')
    .select(['g.accountId', 'g.applicationId', 'g.createdAt', 'g.revokedAt', 'account.timeZone'])
    .where('g.id', '=', grantId);
  const grant = await (
    accountId === null ? found : found.where('g.accountId', '=', accountId)
  ).executeTakeFirst();
  if (!grant) throw new Failure('noPermission', { message: 'no such authorization' });
  const { timeZone } = grant;
  const until = grant.revokedAt ?? now;
  const to = dayIn(timeZone, until);
  const from = Math.max(to - DAYS_SHOWN + 1, dayIn(timeZone, grant.createdAt));
  const commands = new Map<number, number>();
  for (const { quarter, amount } of await countCommands(
    db,
    grant,
    Math.max((from - 1) * DAY_MS, grant.createdAt),
    until,
  )) {
    const day = dayIn(timeZone, quarter * QUARTER_MS);
    if (day >= from) commands.set(day, (commands.get(day) ?? 0) + Number(amount));
  }
  const rows = await db
    .selectFrom('applicationUse')
    .select(['day', 'reads', 'writes', 'forwarded'])
    .where('accountId', '=', grant.accountId)
    .where('applicationId', '=', grant.applicationId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute();
  const counted = new Map(rows.map((row) => [row.day, row]));
  return [...new Set([...counted.keys(), ...commands.keys()])]
    .toSorted((a, b) => b - a)
    .map((day) => {
      const { reads = 0, writes = 0, forwarded = 0 } = counted.get(day) ?? {};
      return {
        day: new Date(day * DAY_MS).toISOString().slice(0, 10),
        reads,
        writes,
        commands: commands.get(day) ?? 0,
        forwarded,
      };
    });
}

/** The commands of an application to an owner's devices, by the quarter of an hour in which it sent them. */
const countCommands = (
  db: Db,
  { accountId, applicationId }: { readonly accountId: string; readonly applicationId: string },
  since: Instant,
  until: Instant,
) =>
  db
    .selectFrom('auditEvent')
    .select([
      sql<number>`at / ${sql.lit(QUARTER_MS)}`.as('quarter'),
      (eb) => eb.fn.countAll().as('amount'),
    ])
    .where('accountId', '=', accountId)
    .where('id', '>=', firstIdAt(since))
    .where('at', '<=', until)
    .where('actor', '=', `application:${applicationId}`)
    .where('kind', '=', 'device.commanded')
    .groupBy(sql`at / ${sql.lit(QUARTER_MS)}`)
    .execute();

/** Deletes at most `limit` days of which nobody sees any more. Returns how many. */
export async function sweepUses(db: Db, now: Instant, limit: number): Promise<number> {
  const before = Math.floor(now / DAY_MS) - DAYS_KEPT;
  const old = db
    .selectFrom('applicationUse')
    .select(['accountId', 'applicationId', 'day'])
    .where('day', '<', before)
    .orderBy('day')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('applicationUse')
    .where((eb) =>
      eb(
        eb.refTuple('accountId', 'applicationId', 'day'),
        'in',
        old.$asTuple('accountId', 'applicationId', 'day'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
