import { errors, type ErrorCode } from '../errors.ts';
import { oauthErrors, scopes, STATE_LENGTH_AT_MOST } from '../oauth.ts';
import { applicationPaths, userPaths, type Operation } from '../operation.ts';
import { html, pre, prose, table } from './html.ts';
import { sampleList } from './operation-section.ts';
import { referencePage, type ReferencePage } from './page.ts';
import { bearerSamples, signedSamples, tokenSamples } from './samples.ts';
import { answersTopic, commonLimits, errorsTopic, limitsTopic, unitsTopic, type Limit, type Topic } from './topics.ts';

export type { ReferencePage } from './page.ts';

interface ReferenceOptions {
  readonly operations: readonly Operation[];
  /** Address of the interface. */
  readonly url: string;
  readonly version: string;
}

export interface UserReferenceOptions extends ReferenceOptions {
  /** Requests a second per key and operation; null = no limit. */
  readonly rateLimit: number | null;
  /** Refused signatures a minute per address and key; null = no limit. */
  readonly authFailureLimit: number | null;
}

const allErrors = Object.keys(errors) as ErrorCode[];

/** The reference of the user-level interface. */
export const userReference = ({ operations, url, version, rateLimit, authFailureLimit }: UserReferenceOptions): ReferencePage =>
  referencePage({
    title: 'Helioport, user-level interface',
    url,
    version,
    operations,
    topics: [
      signingTopic(url),
      answersTopic,
      unitsTopic,
      limitsTopic([
        rateOf('key', rateLimit),
        { what: 'refused signatures per address and key', value: authFailureLimit === null ? 'none' : `${authFailureLimit} a minute` },
        { what: 'difference between Date and the time of the server', value: '15 minutes' },
        ...commonLimits,
      ]),
      errorsTopic(allErrors.filter((name) => name !== 'scopeMissing')),
    ],
    offer: (operation) => {
      const paths = userPaths(operation);
      const path = paths.find((one) => one.startsWith(operation.scope === 'control_device' ? '/v2/' : '/v1/'))!;
      return { paths, samples: signedSamples({ url, path, body: operation.example.request }) };
    },
  });

// interface S2 to S6
const signingTopic = (url: string): Topic => ({
  id: 'signing',
  title: 'Signing a request',
  content: html`<p>Requests are signed with a key pair: a KeyID, which is sent, and a KeySecret, which never is. Four headers carry the signature:</p>
    ${table(
      ['Header', 'Value'],
      [
        [html`<code>Content-MD5</code>`, 'base64 of the 16 bytes of the MD5 digest of the body, exactly as it is sent'],
        [html`<code>Content-Type</code>`, html`<code>application/json;charset=UTF-8</code>`],
        [html`<code>Date</code>`, prose('the time in GMT, as `Fri, 6 Nov 2026 05:01:09 GMT`')],
        [html`<code>Authorization</code>`, prose('`API <KeyID>:<sign>`')],
      ],
    )}
    <p>
      <code>sign</code> is the base64 of the HMAC-SHA1, keyed with the KeySecret, of five parts joined by line feeds: the word POST, the three other headers in
      this order, and the path. Every operation has two paths, under <code>/v1/api/</code> and under <code>/v2/api/</code>; the prefixes mean no version. Sign
      the path that you call.
    </p>
    ${pre('POST\nmZFLkyvTelC5g8XnyQrpOw==\napplication/json;charset=UTF-8\nFri, 6 Nov 2026 05:01:09 GMT\n/v1/api/userStationList')}
    <p>The requests below work as they are: put your key pair into the environment first.</p>
    ${pre("export KEY_ID='...' KEY_SECRET='...'", 'sh')}
    <h4>First request</h4>
    ${sampleList(signedSamples({ url, path: '/v1/api/userStationList', body: { pageNo: 1, pageSize: 20 } }))}`,
});

export interface ApplicationReferenceOptions extends ReferenceOptions {
  /** Requests a second per authorization and operation; null = no limit. */
  readonly rateLimit: number | null;
  readonly codeSeconds: number;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

/** The reference of the OAuth interface. Operations without a scope are not offered there. */
export const applicationReference = (options: ApplicationReferenceOptions): ReferencePage => {
  const { operations, url, version, rateLimit } = options;
  return referencePage({
    title: 'Helioport, OAuth interface',
    url,
    version,
    operations: operations.filter(({ scope }) => scope !== null),
    topics: [
      authorizationTopic(url),
      answersTopic,
      unitsTopic,
      limitsTopic([rateOf('authorization', rateLimit), ...lifetimes(options), { what: 'state', value: `${STATE_LENGTH_AT_MOST} characters` }, ...commonLimits]),
      errorsTopic(
        allErrors.filter((name) => !USER_LEVEL_ERRORS.includes(name)),
        {
          notAuthenticated: 'Send `Authorization: Bearer <access_token>` with a token that is valid.',
        },
      ),
      authorizationErrorsTopic,
    ],
    offer: (operation) => {
      const paths = applicationPaths(operation);
      return { paths, samples: bearerSamples({ url, path: paths[0]!, body: operation.example.request }) };
    },
  });
};

const USER_LEVEL_ERRORS: readonly ErrorCode[] = ['signatureRefused', 'keyRefused', 'clockSkew', 'digestMismatch', 'replayed', 'wrongLogin', 'loginExpired'];

const rateOf = (per: 'key' | 'authorization', rateLimit: number | null): Limit => ({
  what: `requests per ${per} and operation`,
  value: rateLimit === null ? 'none' : `${rateLimit} a second; the RateLimit headers say what is left`,
});

const lifetimes = ({ codeSeconds, accessTokenSeconds, refreshTokenSeconds }: ApplicationReferenceOptions): Limit[] => [
  { what: 'validity of a code', value: `${duration(codeSeconds)}, once` },
  { what: 'validity of an access token', value: duration(accessTokenSeconds) },
  { what: 'validity of a refresh token', value: `${duration(refreshTokenSeconds)}; it begins anew with each refresh` },
];

function duration(seconds: number): string {
  for (const [unit, length] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    const count = seconds / length;
    if (Number.isInteger(count)) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return `${seconds} seconds`;
}

// interface O1, O32
const authorizationTopic = (url: string): Topic => ({
  id: 'authorization',
  title: 'Getting a token',
  content: html`<p>An application that the operator approved has a client_id and a client_secret. It sends the owner’s browser to the authorization page:</p>
    ${pre(`${url}/oauth/authorize?response_type=code&client_id=CLIENT_ID&redirect_uri=https%3A%2F%2Fplatform.example%2Fcallback&scope=access_data&state=RANDOM`)}
    ${table(
      ['Scope', 'Opens'],
      Object.entries(scopes).map(([name, { meaning }]) => [html`<code>${name}</code>`, meaning]),
    )}
    <p>
      The owner signs in, sees what is asked for and approves or denies. The browser comes back to the callback address with <code>code</code> and
      <code>state</code>, or with <code>error=access_denied</code>. Within its validity the code is exchanged once:
    </p>
    ${pre("export CLIENT_ID='...' CLIENT_SECRET='...' REDIRECT_URI='https://platform.example/callback' CODE='...'", 'sh')}
    <div id="token">${sampleList(tokenSamples(url))}</div>
    <p>
      The answer holds <code>access_token</code>, <code>token_type</code>, <code>refresh_token</code>, <code>expires_in</code> in seconds and
      <code>scope</code>. With <code>grant_type=refresh_token</code> and <code>refresh_token</code> the same address gives a new pair and ends the old one.
      <code>POST ${url}/oauth/revoke</code> with <code>token</code> ends a token; a refresh token takes its access token along.
    </p>
    <p>The requests below work as they are: put the access token into the environment first.</p>
    ${pre("export ACCESS_TOKEN='...'", 'sh')}`,
});

const authorizationErrorsTopic: Topic = {
  id: 'authorization-errors',
  title: 'Errors of authorization',
  content: html`<p>
      The token endpoints answer JSON with <code>error</code> and <code>error_description</code> (RFC 6749); the authorization page shows them or sends them to
      the callback address.
    </p>
    ${table(
      ['error', 'HTTP', 'Where', 'Description'],
      Object.values(oauthErrors).map(({ error, status, answer, description }) => [html`<code>${error}</code>`, status, answer, description]),
    )}`,
};
