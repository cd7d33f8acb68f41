import {
  hasDoor,
  oauthErrors,
  pathsOf,
  scopes,
  STATE_LENGTH_AT_MOST,
  type ErrorCode,
} from '@helioport/contract';
import { html, table } from './html.ts';
import { allErrors, rateOf, type InterfaceOptions } from './interface.ts';
import { sampleList } from './operation-section.ts';
import { referencePage, type ReferencePage } from './page.ts';
import { requestOf, requestsNote, type RequestValues } from './requests.ts';
import { authorizeCommands, bearerSamples, clientSamples, tokenSamples } from './samples.ts';
import {
  answersTopic,
  commonLimits,
  errorsTopic,
  limitsTopic,
  unitsTopic,
  type Limit,
  type Topic,
} from './topics.ts';
import { pre } from './program.ts';

export interface ApplicationReferenceOptions extends InterfaceOptions {
  /** Requests per second, per authorization and operation; null = no limit. */
  readonly rateLimit: number | null;
  readonly codeSeconds: number;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

/** The reference of the OAuth interface. */
export const applicationReference = (options: ApplicationReferenceOptions): ReferencePage => {
  const { operations, url, version, requestValues, rateLimit } = options;
  return referencePage({
    title: 'Helioport, OAuth interface',
    url,
    version,
    operations: operations.filter(
      (operation) => hasDoor(operation, 'oauth') || hasDoor(operation, 'client'),
    ),
    topics: [
      authorizationTopic(url, requestValues),
      answersTopic,
      unitsTopic,
      limitsTopic([
        rateOf('authorization', rateLimit),
        ...lifetimes(options),
        { what: 'state', value: `${STATE_LENGTH_AT_MOST} characters` },
        ...commonLimits,
      ]),
      errorsTopic(
        allErrors.filter((name) => !USER_LEVEL_ERRORS.includes(name)),
        {
          notAuthenticated:
            'Send `Authorization: Bearer <access_token>` with a token that is valid.',
        },
      ),
      authorizationErrorsTopic,
    ],
    offer: (operation) => {
      const { body, missing } = requestOf(operation, requestValues);
      const door = hasDoor(operation, 'oauth') ? 'oauth' : 'client';
      const paths = pathsOf(operation, door);
      const samples = door === 'oauth' ? bearerSamples : clientSamples;
      return { paths, missing, samples: samples({ url, path: paths[0]!, body }) };
    },
  });
};

const USER_LEVEL_ERRORS: readonly ErrorCode[] = [
  'signatureRefused',
  'keyRefused',
  'clockSkew',
  'digestMismatch',
  'replayed',
  'wrongLogin',
  'loginExpired',
];

const lifetimes = ({
  codeSeconds,
  accessTokenSeconds,
  refreshTokenSeconds,
}: ApplicationReferenceOptions): Limit[] => [
  { what: 'validity of a code', value: `${duration(codeSeconds)}, for one use` },
  { what: 'validity of an access token', value: duration(accessTokenSeconds) },
  {
    what: 'validity of a refresh token',
    value: `${duration(refreshTokenSeconds)}; it restarts with each refresh`,
  },
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
const authorizationTopic = (url: string, requestValues: RequestValues | undefined): Topic => ({
  id: 'authorization',
  title: 'Getting a token',
  content: html`<p>
      An application that the operator approved has a client_id and a client_secret. Write its own
      and its callback address here:
    </p>
    ${pre("export CLIENT_ID='...' CLIENT_SECRET='...' REDIRECT_URI='https://platform.example/callback'", 'sh')}
    <p>
      It sends the owner’s browser to the authorization page, with its callback address URL-encoded
      and a challenge (PKCE, <code>S256</code>), which applications must send unless they were
      registered without. These commands make one and print the address:
    </p>
    ${pre(authorizeCommands(url), 'sh')}
    <p>
      <code>scope</code> holds scopes separated by <code>%20</code>, and no other than the operator
      has approved for the application; without it, the owner is asked for all of these.
    </p>
    ${table(
      ['Scope', 'Opens'],
      Object.entries(scopes).map(([name, { meaning }]) => [html`<code>${name}</code>`, meaning]),
    )}
    <p>
      The owner signs in, sees the request and approves or denies it. The browser comes back to the
      callback address with <code>code</code> and <code>state</code>, or with
      <code>error=access_denied</code>. While it is valid, the code can be exchanged once:
    </p>
    ${pre("export CODE='...'", 'sh')}
    <div id="token">${sampleList(tokenSamples(url))}</div>
    <p>
      The answer holds <code>access_token</code>, <code>token_type</code>,
      <code>refresh_token</code>, <code>expires_in</code> in seconds and <code>scope</code>. With
      <code>grant_type=refresh_token</code> and <code>refresh_token</code> the same address issues a
      new pair and ends the old one. <code>POST ${url}/oauth/revoke</code> with
      <code>token</code> ends a token; ending a refresh token also ends its access token.
    </p>
    ${requestsNote(requestValues, 'the access token')} ${pre("export ACCESS_TOKEN='...'", 'sh')}`,
});

const authorizationErrorsTopic: Topic = {
  id: 'authorization-errors',
  title: 'Authorization errors',
  content: html`<p>
      The token endpoints answer with JSON that has <code>error</code> and
      <code>error_description</code> (RFC 6749); the authorization page shows them or sends them to
      the callback address.
    </p>
    ${table(
      ['error', 'HTTP', 'Where', 'Description'],
      Object.values(oauthErrors).map(({ error, status, answer, description }) => [
        html`<code>${error}</code>`,
        status,
        answer,
        description,
      ]),
    )}`,
};
