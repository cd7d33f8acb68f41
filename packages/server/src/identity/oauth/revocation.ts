import type { AuditKind } from '@helioport/contract';
import { recordAudit, type Act } from '../accounts/audit.ts';
import {
  AUDIT_TYPES,
  auditColumns,
  auditParameters,
  withAudit,
  type AuditParameters,
} from '../accounts/audited-change.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import { inSharedCommit } from '../../platform/storage/commit-group.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import {
  gathers,
  prepareGathered,
  type Gathering,
} from '../../platform/storage/postgres/gathered.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { forgetAnswersOfFamily } from './answers.ts';
import { REMEMBERED_MS } from './families.ts';
import type { Presented } from './tokens.ts';

/** The hash by which a row of tokenFamily is found. With an access token's, only that token ends; with the others, everything issued from the code. */
type HashName = 'codeHash' | 'familyHash' | 'accessHash';

/** Which row of tokenFamily ends, and why. */
interface Ending {
  readonly by: HashName;
  readonly hash: Uint8Array;
  readonly applicationId: string;
  readonly kind: AuditKind;
  readonly reason: string;
}

interface EndParameters {
  hash: Uint8Array;
  applicationId: string;
  now: Instant;
  reason: string;
  removeAt: Instant;
}

const ending = (by: HashName) => (db: Db, p: ParameterOf<EndParameters>) =>
  db
    .updateTable('tokenFamily')
    .set(
      by === 'accessHash'
        ? { accessHash: null, accessExpiresAt: null }
        : { endedAt: p('now'), endedBy: p('reason'), removeAt: p('removeAt') },
    )
    .where(by, '=', p('hash'))
    .where('applicationId', '=', p('applicationId'))
    .where('endedAt', 'is', null)
    .returning(['codeHash', 'accountId', 'grantId', 'answersUntil']);

const ENDING_TYPES = {
  hash: 'bytea',
  applicationId: 'text',
  now: 'int8',
  reason: 'text',
  removeAt: 'int8',
  ...AUDIT_TYPES,
} as const;

// Only where no answer has to be forgotten.
const endingTogether = (by: HashName) =>
  prepareGathered(
    ENDING_TYPES,
    { table: 'tokenFamily', by, value: 'hash', columns: ['codeHash'] },
    (db, { p, calls, held, call }: Gathering<EndParameters & AuditParameters>) =>
      withAudit<{ readonly call: number }>(
        db,
        ending(by)(db, p)
          .from(calls)
          .where('codeHash', '=', held('codeHash'))
          .where('answersUntil', '<=', p('now'))
          .returning(auditColumns(p))
          .returning(call.as('call')),
        ['call'],
      ),
  );

const end = {
  codeHash: prepareQuery(ending('codeHash')),
  familyHash: prepareQuery(ending('familyHash')),
  accessHash: prepareQuery(ending('accessHash')),
};
const endTogether = {
  familyHash: endingTogether('familyHash'),
  accessHash: endingTogether('accessHash'),
};

const parametersOf = ({ at }: Act, { hash, applicationId, reason }: Ending): EndParameters => ({
  hash,
  applicationId,
  now: at,
  reason,
  removeAt: at + REMEMBERED_MS,
});

/**
 * Ends everything issued from one code, from the next request on; a concurrent refresh either finds the row ended or is ended with it.
 * The owner's grant stays. Returns whether the family was active.
 */
export async function endFamily(trx: Db, act: Act, family: Ending): Promise<boolean> {
  const [row] = await end[family.by](trx, parametersOf(act, family));
  if (!row) return false;
  const { applicationId, kind, reason } = family;
  if (row.answersUntil > act.at) await forgetAnswersOfFamily(trx, row.codeHash);
  await recordAudit(trx, act, {
    kind,
    accountId: row.accountId,
    data: { applicationId, grantId: row.grantId, reason },
  });
  return true;
}

/**
 * Revokes an access or refresh token at once. Revoking a refresh token also ends its access token, even if the refresh
 * token was already spent by a refresh that came first; revoking an access token ends only that. interface O60
 * A token of another application stays valid. Returns whether anything ended.
 */
export async function revokeToken(
  db: Db,
  act: Act,
  applicationId: string,
  token: Presented,
): Promise<boolean> {
  if (token.kind === 'code') return false;
  const [by, hash, reason] =
    token.kind === 'refresh'
      ? (['familyHash', token.familyHash, 'refresh token'] as const)
      : (['accessHash', token.hash, 'access token'] as const);
  const revoked: Ending = { by, hash, applicationId, kind: 'grant.tokensRevoked', reason };
  const work = (trx: Db): Promise<boolean> => endFamily(trx, act, revoked);
  if (!gathers(db)) return inSharedCommit(db, work);
  const parameters = {
    ...parametersOf(act, revoked),
    ...auditParameters(act, revoked.kind, { applicationId, reason }),
  };
  return (await endTogether[by](db, parameters)) !== undefined || inTransaction(db, work);
}
