import type { PortalSession } from '@helioport/contract';
import type { FactorSources } from '../../../identity/accounts/factors/factor-sources.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { WakeUps } from '../../../platform/storage/wake-ups/port.ts';
import type { MountedOffer } from '../http/mount.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { SharedBuckets } from '../../../platform/kernel/token-buckets.ts';
import type { Cookies } from '../http/session-cookie.ts';
import type { LivePace } from './live/streams.ts';

/** The dependencies of the portal's server side. */
export interface PortalDeps extends MountedOffer {
  readonly ids: IdSource;
  /** The public address without a trailing slash. */
  readonly portalUrl: string;
  /** The public address of the signed interface, which the pages name. */
  readonly userApiUrl: string;
  /** The public address of the OAuth interface, which the pages name. */
  readonly oauthUrl: string;
  /** The public address of the gateway, which the pages name. */
  readonly gatewayUrl: string;
  readonly cookies: Cookies;
  /** Is called with how each log-in ended. */
  readonly onLogIn?: (outcome: string) => void;
  /** Is given what counts the pages that are kept up to date. */
  readonly watchStreams?: (count: () => number) => void;
  readonly factors: FactorSources;
  /** Whether passwords are also kept in the form in which existing control clients send them. */
  readonly legacyLogin: boolean;
  /** Whether this installation sends e-mails. */
  readonly mailAvailable: boolean;
  /** The tiles of the map; null = it has none. */
  readonly map: PortalSession['map'];
  /** Whether everybody may make an account. */
  readonly signUpAllowed: boolean;
  /** Per account and operation. */
  readonly rateLimit: RateLimit;
  /** Per account: each question about an outcome may be a row. */
  readonly outcomes: Pick<SharedBuckets, 'take'>;
  readonly wakeUps: Pick<WakeUps, 'on'>;
  /** How often to look for what is sent live, if not as usual. */
  readonly livePace?: LivePace;
  /** E-mail address of the demo's owner, as whom everybody may look around; undefined = there is no demo. */
  readonly demoOwner: (() => Promise<string | undefined>) | undefined;
}
