import { languageTags, type Language } from '../operations/accounts/account.ts';
import type { AccountRole } from '../operations/accounts/users.ts';
import { required } from '../parameters.ts';
import { choice, exactText, flag, text, timeZone } from '../scalars.ts';

/** What a page of the portal needs to know before anything else: `data` of GET /portal/session, of a log-in and of a log-out. */
export interface PortalSession {
  /** Who is logged in; null = nobody. */
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly role: AccountRole;
    readonly timeZone: string;
    /** null = none was chosen. */
    readonly language: Language | null;
  } | null;
  /** The permission to look at everything of this account that operators of the service have at this moment; null = none. */
  readonly support: { readonly id: string; readonly expiresAt: number } | null;
  /** To be sent with every POST, in the header X-Helioport-CSRF. It changes at each log-in and log-out. */
  readonly csrf: string;
  /** Whether everybody may look around as the demo's owner, with POST /portal/demo-log-in. */
  readonly demo: boolean;
  /** The server's time in epoch milliseconds, since the browser's clock may be wrong. */
  readonly serverTime: number;
  readonly version: string;
  /** Whether this installation sends e-mails: without them, only the operator can set a forgotten password anew. */
  readonly mail: boolean;
  /** Whether everybody may make an account. */
  readonly signUp: boolean;
  /** The address that signed requests go to. */
  readonly userApiUrl: string;
  /** The address of the OAuth interface: of its authorization page, its reference and the guides. */
  readonly oauthUrl: string;
  /** The address that collectors report to. */
  readonly gatewayUrl: string;
  /** Where the map gets its tiles, with {z}, {x} and {y} for zoom, column and row, and whom it names as their source; null = it has none. */
  readonly map: { readonly tiles: string; readonly attribution: string } | null;
}

/** The body of POST /portal/outcome: the id of the operation of a write, and the Idempotency-Key that it was sent with. */
export const portalOutcome = {
  request: {
    operation: required(exactText(100, 'operation')),
    key: required(exactText(200, 'key')),
  },
} as const;

/** The answer of POST /portal/outcome. */
export interface PortalOutcome {
  /** Whether the write was carried out; if not, it never will be. */
  readonly carriedOut: boolean;
  /** The `data` of its answer, if that was kept. */
  readonly answer?: unknown;
}

/** The body of POST /portal/log-in. */
export const portalLogIn = {
  request: { email: required(text(254, 'email')), password: required(exactText(4096, 'password')) },
} as const;

/** The body of POST /portal/second-step, after a log-in that was answered with secondFactorRequired; `ticket` is in the `data` of that answer. */
export const portalSecondStep = {
  request: {
    ticket: required(exactText(1000, 'ticket')),
    secondFactor: required(exactText(10_000, 'secondFactor')),
  },
} as const;

/** The body of POST /portal/passkey-log-in: the answer of the authenticator to the options of POST /portal/passkey-options, as JSON. */
export const portalPasskey = {
  request: { response: required(exactText(10_000, 'response')) },
} as const;

/** The body of POST /portal/reset-request and /portal/sign-up-request. They are answered alike, whether the address has an account or not. */
export const portalMailRequest = {
  request: {
    email: required(text(254, 'email')),
    language: required(choice(languageTags, 'language')),
  },
} as const;

/** The body of POST /portal/sign-up; `token` is what follows # in the link of the e-mail. */
export const portalSignUp = {
  request: {
    token: required(exactText(100, 'token')),
    name: text(100, 'name'),
    password: required(exactText(4096, 'password')),
    timeZone: required(timeZone('timeZone')),
    language: required(choice(languageTags, 'language')),
  },
} as const;

/** The body of POST /portal/reset; `token` is what follows # in the link of the e-mail. */
export const portalReset = {
  request: {
    token: required(exactText(100, 'token')),
    newPassword: required(exactText(4096, 'newPassword')),
    secondFactor: exactText(10_000, 'secondFactor'),
    endAllAccess: flag('endAllAccess'),
  },
} as const;
