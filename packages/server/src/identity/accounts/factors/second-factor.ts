import { networksOf } from '../../../platform/kernel/addresses/networks.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Act } from '../audit.ts';
import { admitAttempt, forgetAttempts, type Allowance } from './code-throttle.ts';
import type { FactorSources } from './factor-sources.ts';
import { askForPasskey, consumePasskey, type PasskeyOptions } from './passkeys.ts';
import { consumeRecoveryCode } from './recovery-codes.ts';
import { consumeTotp } from './totp.ts';

export type FactorMethod = 'totp' | 'passkey' | 'recoveryCode';

/** The second factors that an account has; without any, its password is enough. Recovery codes alone are none. */
export async function methodsOf(db: Db, accountId: string): Promise<FactorMethod[]> {
  const of = (table: 'passkey' | 'recoveryCode') =>
    db.selectFrom(table).select('accountId').where('accountId', '=', accountId).limit(1);
  const [totp, passkey, recovery] = await Promise.all([
    db
      .selectFrom('totp')
      .select('accountId')
      .where('accountId', '=', accountId)
      .where('confirmedAt', 'is not', null)
      .executeTakeFirst(),
    of('passkey').executeTakeFirst(),
    of('recoveryCode').executeTakeFirst(),
  ]);
  if (!totp && !passkey) return [];
  return [
    ...(totp ? (['totp'] as const) : []),
    ...(passkey ? (['passkey'] as const) : []),
    ...(recovery ? (['recoveryCode'] as const) : []),
  ];
}

/** The answer to a person whose password was right: which factors may follow, and a challenge for passkeys. */
interface FactorRequest {
  readonly methods: readonly FactorMethod[];
  readonly passkey?: PasskeyOptions;
}

export async function factorRequest(
  db: Db,
  sources: FactorSources,
  now: Instant,
  accountId: string,
  methods: readonly FactorMethod[],
): Promise<FactorRequest> {
  const possible = methods.filter((method) => method !== 'passkey' || sources.passkeys);
  return {
    methods: possible,
    ...(possible.includes('passkey') && {
      passkey: await askForPasskey(db, sources, now, { accountId }),
    }),
  };
}

/**
 * How many codes may be tried, whether by the owner or by somebody who has stolen the password, from wherever: three of a million codes are right at
 * any time.
 */
const CODES: Allowance = { atOnce: 10, intervalMs: 10 * 60_000 };
const CODES_OF_KNOWN: Allowance = { atOnce: 10, intervalMs: 2 * 60_000 };

/**
 * Recovery codes and passkeys cannot be guessed, but each wrong one is a row of the audit trail. They are counted where they come from, so that nobody
 * elsewhere can lock the owner out; one entry per tier of networks.
 */
const UNGUESSABLE: readonly Allowance[] = [
  { atOnce: 20, intervalMs: 30_000 },
  { atOnce: 80, intervalMs: 10_000 },
  { atOnce: 320, intervalMs: 3_000 },
];

/** Who sends a factor, and from where. */
export interface FactorPlace {
  /** The cookie of a browser that has logged in to this account before, or the session: its attempts are counted separately. */
  readonly known: string | undefined;
  /** Null where it is not known. */
  readonly address: string | null;
}

/**
 * Uses what somebody gave as second factor: the six digits of an app, a recovery code, or the answer of a passkey as JSON.
 * The attempt counts even if the transaction that uses it fails, so it is counted outside. Throws wrongFactor, tooManyRequests.
 */
export async function admitFactor(
  db: Db,
  now: Instant,
  accountId: string,
  given: string,
  { known, address }: FactorPlace,
): Promise<{ succeeded(): Promise<void> }> {
  const counters: readonly (readonly [Allowance, ...name: string[]])[] =
    methodGiven(given) === 'totp'
      ? [[known === undefined ? CODES : CODES_OF_KNOWN, 'code', accountId, known ?? '']]
      : known === undefined
        ? networksOf(address ?? '').map((network, tier) => [
            UNGUESSABLE[tier]!,
            'factor from',
            accountId,
            network,
          ])
        : [[UNGUESSABLE[0]!, 'factor of', accountId, known]];
  for (const [allowance, ...name] of counters) await admitAttempt(db, now, allowance, ...name);
  return {
    succeeded: async () => {
      for (const [, ...name] of counters) await forgetAttempts(db, ...name);
    },
  };
}

/** Uses a second factor, after `admitFactor`. Throws wrongFactor. */
export async function consumeFactor(
  trx: Db,
  sources: FactorSources,
  act: Act,
  accountId: string,
  given: string,
): Promise<FactorMethod> {
  const method = methodGiven(given);
  if (method === 'passkey') await consumePasskey(trx, sources, act.at, { accountId }, given);
  else {
    const accepted =
      method === 'totp'
        ? await consumeTotp(trx, act.at, sources.secretBox, accountId, given.replaceAll(/\s/g, ''))
        : await consumeRecoveryCode(trx, act, accountId, given);
    if (!accepted) throw new Failure('wrongFactor');
  }
  return method;
}

function methodGiven(given: string): FactorMethod {
  if (given.trimStart().startsWith('{')) return 'passkey';
  return /^(\s*\d){6}\s*$/.test(given) ? 'totp' : 'recoveryCode';
}
