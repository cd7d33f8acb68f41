import { SIGNED_CONTENT_TYPE, USUAL_CONTENT_TYPE } from '@helioport/contract';
import { MINUTE_MS } from '@helioport/contract/durations';
import { createClient, HelioportError, type Clock, type Pause } from '@helioport/sdk';
import {
  AccountRefusal,
  type HistoryAccount,
} from '../../../measurements/ingest/history/account.ts';
import { CliCommandFault } from '../installation/faults.ts';
import { boundedFetch } from './bounded-fetch.ts';

export interface AccountOptions {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly keySecret: string;
  /** Requests a second, at most. */
  readonly perSecond: number;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signal: AbortSignal;
  /** Told of each longer wait. */
  readonly note: (text: string) => void;
}

/** How long to wait after the first failures in a row; the last one holds for all further ones. */
const AWAY_MS = [5_000, 15_000, 30_000, MINUTE_MS, 5 * MINUTE_MS] as const;
const QUOTA_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** Failures in a row after which an account is not waited for any longer: at first, and once it has answered. */
const [AWAY_AT_FIRST, AWAY_AT_MOST] = [3, 100] as const;

/** An account behind the signed interface, asked at a pace that it bears. It is waited for while it limits requests or is away. */
export function createSignedAccount(options: AccountOptions): HistoryAccount {
  const { perSecond, clock, pause, signal, note } = options;
  // Most services want this type signed; those that follow the specification to the letter, the other one.
  const clients = [USUAL_CONTENT_TYPE, SIGNED_CONTENT_TYPE].map((contentType) =>
    createClient({ ...options, contentType, retries: 2, fetch: boundedFetch }),
  );
  let [answered, askedAt] = [false, -Infinity];
  const pace = async (): Promise<void> => {
    // Not in step with other programs that ask with the same key.
    const gapMs = (1000 / perSecond) * (1 + Math.random() / 4);
    const leftMs = askedAt + gapMs - clock.now();
    if (leftMs > 0) await pause(leftMs, signal);
    askedAt = clock.now();
  };
  return {
    async ask(operation, request) {
      for (let [away, limited] = [0, 0]; ;) {
        await pace();
        try {
          const data = await clients[0]!.call(operation, request, { signal });
          answered = true;
          return data;
        } catch (error) {
          if (!(error instanceof HelioportError)) throw error;
          const kind = kindOf(error);
          if (kind === 'signature' && !answered && clients.length > 1) {
            clients.shift();
            continue;
          }
          if (kind === 'refusal') throw new AccountRefusal(error.message);
          if (kind === 'signature') throw new CliCommandFault(error.message);
          if (kind === 'away' && ++away >= (answered ? AWAY_AT_MOST : AWAY_AT_FIRST))
            throw new CliCommandFault(`${error.message}; ${GOES_ON}`);
          const waits = kind === 'limit' ? QUOTA_MS : AWAY_MS;
          const count = kind === 'limit' ? (limited += 1) : away;
          const waitMs = waits[Math.min(count, waits.length) - 1]!;
          note(waitText(error, waitMs, clock.now()));
          await pause(waitMs, signal);
        }
      }
    },
  };
}

export const GOES_ON = 'what has been imported stays, and the same command goes on from there';

/** A quota has the code of missing rights, and is known only by its words. */
const QUOTA = /too many|too frequent|quota|exceed|\blimit/i;
const SIGNATURE_STATUSES = new Set([401, 403, 408]);

/** Whether an account limits requests, cannot be reached, does not take the key pair, or refuses just this request. */
function kindOf({
  status,
  code,
  message,
}: HelioportError): 'limit' | 'away' | 'signature' | 'refusal' {
  if (status === 429 || code === '429' || QUOTA.test(message)) return 'limit';
  if (SIGNATURE_STATUSES.has(status) || code === '403' || code === 'Z0002') return 'signature';
  if (status === 0 || status >= 500 || (code === 'protocol' && status === 200)) return 'away';
  return code === 'protocol' ? 'signature' : 'refusal';
}

function waitText(error: HelioportError, waitMs: number, now: number): string {
  const until = new Date(now + waitMs).toISOString().slice(11, 16);
  return `waiting until ${until} UTC, ${Math.ceil(waitMs / 1000)} s: ${error.message}`;
}
