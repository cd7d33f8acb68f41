import { an, ownRecord, ownRecords } from '../records/own.ts';
import { scopes } from '../oauth.ts';
import { defineOperation, type Scope } from '../operation.ts';
import { meaning, required, type ParameterTable } from '../parameters.ts';
import { exactText, flag, integer, number, textInput, wordsInput } from '../scalars.ts';

const common = {
  family: 'applications',
  permission: 'manage',
  doors: ['operator'],
  own: true,
} as const;
/** Also at the console, which hands out no secrets. */
const ofOperators = { ...common, doors: ['operator', 'console'] } as const;
const errors = ['missingParameter', 'invalidValue'] as const;

const application = required(
  meaning('name or client_id of the application', textInput(100, 'application')),
);

/** What a registration consists of. */
export const registration = {
  name: meaning('name shown on the consent page', exactText(100, 'name')),
  purpose: meaning(
    'what the application is for, as shown on the consent page',
    textInput(1000, 'purpose'),
  ),
  homePage: meaning('where owners can read about the application', textInput(2000, 'homePage')),
  redirectUri: meaning(
    'the only callback address, which must match exactly',
    exactText(2000, 'redirectUri'),
  ),
  scopes: meaning(
    'scopes that the application may request',
    wordsInput(Object.keys(scopes) as Scope[], 'scopes'),
  ),
  challengeRequired: meaning(
    '1: authorization requests without code_challenge are refused',
    flag('challengeRequired'),
  ),
};
const { name, purpose, homePage, redirectUri, scopes: askable, challengeRequired } = registration;

/** Possible problems with a callback address that is accepted all the same. */
export const callbackWarnings = an.texts('possible problems with the callback address');

export interface ApplicationShown {
  readonly clientId: string;
  readonly name: string;
  readonly state: 'submitted' | 'approved' | 'rejected' | 'disabled';
  readonly reason: string | null;
  readonly owner: string | null;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly askedScopes: readonly Scope[];
  readonly homePage: string | null;
  readonly purpose: string;
  readonly requirePkce: boolean;
  readonly resourceServer: boolean;
  readonly createdAt: number;
  readonly submittedAt: number;
  readonly decidedAt: number | null;
}

/** The fields of an application in answers. */
export const applicationFields = {
  clientId: an.text('client_id'),
  name: an.text('name'),
  state: an.text('submitted, approved, rejected or disabled'),
  reason: an.text('why it was rejected'),
  owner: an.text('e-mail address of the developer'),
  redirectUri: an.text('callback address'),
  scopes: an.texts('scopes that the application may request'),
  askedScopes: an.texts('scopes that its developer asked for, of which `scopes` may be a part'),
  homePage: an.text('where owners can read about the application'),
  purpose: an.text('what the application is for'),
  requirePkce: an.flag('whether the application has to send code_challenge'),
  resourceServer: an.flag('whether the application may introspect any token'),
  createdAt: an.instant('when the application was registered'),
  submittedAt: an.instant('when its developer last stated what it is'),
  decidedAt: an.instant('when it was approved or rejected'),
};
const fields = applicationFields;

/** An application in examples. */
export const exampleClientId = 'f3nQ8xYk2LmR7vBzT1cW5hJd';
const clientId = exampleClientId;
export const exampleApplication = {
  clientId,
  name: 'Yield Watch',
  state: 'approved',
  redirectUri: 'https://yield.example/callback',
  scopes: ['access_data'],
  askedScopes: ['access_data', 'control_device'],
  purpose: 'Compares yields',
  requirePkce: false,
  resourceServer: false,
  createdAt: 1_700_000_000_000,
  submittedAt: 1_700_000_000_000,
  decidedAt: 1_700_000_600_000,
} as const;

export const applicationCreate = defineOperation({
  ...common,
  id: 'application/create',
  write: true,
  summary: 'Registers an application; its secret is shown only once.',
  request: {
    name: required(name),
    redirectUri: required(redirectUri),
    owner: meaning(
      'e-mail address of the developer, who finds the application in the portal',
      textInput(254, 'owner'),
    ),
    purpose,
    homePage,
    scopes: askable,
    challengeRequired,
    resourceServer: meaning('1: the application may introspect any token', flag('resourceServer')),
    pending: meaning('1: the application has to be approved first', flag('pending')),
  },
  response: ownRecord<{
    readonly clientId: string;
    readonly clientSecret: string;
    readonly warnings: readonly string[];
  }>('the application’s credentials', {
    clientId: an.text('client_id'),
    clientSecret: an.text('client_secret'),
    warnings: callbackWarnings,
  }),
  errors: [...errors, 'accountUnknown'],
  example: {
    request: { name: 'Yield Watch', redirectUri: 'https://yield.example/callback' },
    data: { clientId, clientSecret: 'k8vQ2nYx7LmR3fBzT5cW1hJdP9sXaE4uG6tZ0rNi', warnings: [] },
  },
});

export const applicationList = defineOperation({
  ...ofOperators,
  id: 'application/list',
  write: false,
  summary: 'Lists applications.',
  request: {},
  response: ownRecords<ApplicationShown>('an application', fields),
  errors: [],
  example: { request: {}, data: [exampleApplication] },
});

/** A secret of an application, without its text. */
export interface ClientSecretShown {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  /** Its last four characters; null = it was made before they were kept. */
  readonly ending: string | null;
}

export const clientSecrets = an.objects(
  'the application’s secrets: id, createdAt, expiresAt, lastUsedAt, ending (its last four characters, if they were kept)',
);

export interface ApplicationDetail extends ApplicationShown {
  readonly secrets: readonly ClientSecretShown[];
}

export const applicationShow = defineOperation({
  ...ofOperators,
  id: 'application/show',
  write: false,
  summary: 'Shows an application and when its secrets were used.',
  request: { application },
  response: ownRecord<ApplicationDetail>('an application', { ...fields, secrets: clientSecrets }),
  errors,
  example: {
    request: { application: 'Yield Watch' },
    data: { ...exampleApplication, secrets: [] },
  },
});

const decided = <const Id extends string, const More extends ParameterTable>(
  id: Id,
  summary: string,
  more: More,
) =>
  defineOperation({
    ...ofOperators,
    id,
    write: true,
    summary,
    request: { application, ...more },
    response: ownRecord<Pick<ApplicationShown, 'name' | 'clientId' | 'state'>>('the application', {
      name: fields.name,
      clientId: fields.clientId,
      state: fields.state,
    }),
    errors: [...errors, 'changedMeanwhile'],
    example: {
      request: { application: 'Yield Watch' },
      data: { name: 'Yield Watch', clientId, state: 'approved' },
    },
  });

const submittedAt = meaning(
  'decides only if the application is still as it was then: `submittedAt` of the answer that was read',
  integer({ min: 0 }, 'submittedAt'),
);

export const applicationApprove = decided(
  'application/approve',
  'Approves a submitted application; it may then ask owners for access.',
  {
    scopes: meaning(
      'the only scopes that it may request, some of those that it was submitted with; all by default',
      askable,
    ),
    submittedAt,
  },
);
export const applicationReject = decided('application/reject', 'Rejects a submitted application.', {
  reason: meaning('why, for its developer', textInput(500, 'reason')),
  submittedAt,
});
export const applicationDisable = decided(
  'application/disable',
  'Disables an application: it and its tokens are refused from the next request on.',
  {},
);
export const applicationEnable = decided(
  'application/enable',
  'Enables a disabled application again.',
  {},
);

export const applicationChange = defineOperation({
  ...common,
  id: 'application/change',
  write: true,
  summary: 'Changes the registration of an application.',
  request: { application, redirectUri, scopes: askable, challengeRequired },
  response: ownRecord<{ readonly warnings: readonly string[] }>('the result', {
    warnings: callbackWarnings,
  }),
  errors,
  example: {
    request: { application: 'Yield Watch', challengeRequired: 1 },
    data: { warnings: [] },
  },
});

export const applicationRotateSecret = defineOperation({
  ...common,
  id: 'application/rotateSecret',
  write: true,
  summary: 'Issues a new secret; existing secrets stay valid for a while.',
  request: {
    application,
    overlapDays: meaning(
      'how many days existing secrets stay valid; 30 by default, 0: they end now',
      number({}, 'overlapDays'),
    ),
  },
  response: ownRecord<{
    readonly clientId: string;
    readonly clientSecret: string;
    readonly earlierSecretsEndAt: number;
  }>('the application’s credentials', {
    clientId: an.text('client_id'),
    clientSecret: an.text('client_secret'),
    earlierSecretsEndAt: an.instant('when earlier secrets end'),
  }),
  errors,
  example: {
    request: { application: 'Yield Watch', overlapDays: 30 },
    data: {
      clientId,
      clientSecret: 'k8vQ2nYx7LmR3fBzT5cW1hJdP9sXaE4uG6tZ0rNi',
      earlierSecretsEndAt: 1_702_592_000_000,
    },
  },
});

export interface RefusalShown {
  readonly endpoint: string;
  readonly reason: string;
  readonly error: string;
  readonly description: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastRequestId: string;
  readonly count: number;
}

/** The fields of a refusal in answers. */
export const refusalFields = {
  endpoint: an.text('endpoint that refused the request'),
  reason: an.text('reason for the refusal'),
  error: an.text('`error` of the answer'),
  description: an.text('`error_description` of the answer'),
  firstAt: an.instant('the first time'),
  lastAt: an.instant('the last time'),
  lastRequestId: an.text('X-Request-Id of the last refusal'),
  count: an.number('how often'),
};

export const applicationErrors = defineOperation({
  ...ofOperators,
  id: 'application/errors',
  write: false,
  summary: 'Lists an application’s recent refusals, newest first.',
  request: { application },
  response: ownRecords<RefusalShown>('a refusal', refusalFields),
  errors,
  example: { request: { application: 'Yield Watch' }, data: [] },
});
