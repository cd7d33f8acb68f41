import { recordAudit, type Act } from '../accounts/audit.ts';
import { hashSecret, randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { insertDevice } from './devices.ts';
import type { PostingCollector } from './states.ts';

/** A collector with the token that it reports with; the token is shown this once and stored as its SHA-256. */
export interface NewCollector {
  readonly id: string;
  readonly token: string;
}

/** Makes a collector known, bound to nothing yet. Throws invalidValue. */
export async function insertCollector(trx: Db, act: Act, input: { readonly sn: string; readonly model?: string | null }): Promise<NewCollector> {
  const token = randomAlphanumeric();
  const id = await insertDevice(trx, act, { ...input, kind: 'collector', tokenHash: hashSecret(token) });
  await recordAudit(trx, act, { kind: 'collector.tokenIssued', accountId: null, data: { collectorId: id, sn: input.sn } });
  return { id, token };
}

const byToken = prepareQuery((db, p: ParameterOf<{ tokenHash: Uint8Array }>) =>
  db
    .selectFrom('device')
    .select(['id', 'sn', 'plantId', 'state', 'reportedAt', 'expectedSeconds'])
    .where('tokenHash', '=', p('tokenHash'))
    .where('kind', '=', 'collector')
    .where('removedAt', 'is', null),
);

/** A collector as it is known while it reports. */
export interface ReportingCollector extends PostingCollector {
  readonly sn: string;
  readonly plantId: string | null;
}

/** The collector that a token belongs to; asked anew for every report, so that a withdrawn token ends at once. */
export async function findCollectorByToken(db: Db, token: string): Promise<ReportingCollector | undefined> {
  const [collector] = await byToken(db, { tokenHash: hashSecret(token) });
  return collector;
}

/** A report that was refused, and how often. */
export interface Refusal {
  readonly sn: string;
  readonly reason: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly count: number;
}

/** What of a collector's reports was refused lately, newest first. */
export const listRefusals = (db: Db, collectorId: string, limit: number): Promise<Refusal[]> =>
  db
    .selectFrom('collectorRefusal')
    .select(['sn', 'reason', 'firstAt', 'lastAt', 'count'])
    .where('collectorId', '=', collectorId)
    .orderBy('lastAt', 'desc')
    .limit(limit)
    .execute();

/** When a collector last posted, to the minute, whatever its devices' clocks said; null = never. */
export async function lastReportOf(db: Db, collectorId: string): Promise<Instant | null> {
  const row = await db.selectFrom('device').select('reportedAt').where('id', '=', collectorId).executeTakeFirst();
  return row?.reportedAt ?? null;
}
