import type { JsonSchema } from '../json-schema.ts';
import { oauthErrors, scopes, STATE_LENGTH_AT_MOST, type OauthErrorName } from '../oauth.ts';
import { headerDescriptionsOf, refusalHeaders } from './answers.ts';

// interface O1, O32

const text: JsonSchema = { type: 'string' };

/** `#/components/schemas` of the authorization endpoints. */
export const authorizationSchemas: Readonly<Record<string, JsonSchema>> = {
  TokenPair: {
    type: 'object',
    properties: {
      access_token: text,
      token_type: { const: 'bearer' },
      refresh_token: text,
      expires_in: { type: 'integer', description: 'validity of the access token in seconds' },
      scope: { type: 'string', description: 'granted scopes, separated by spaces' },
    },
    required: ['access_token', 'token_type', 'refresh_token', 'expires_in', 'scope'],
  },
  OauthError: {
    type: 'object',
    description: 'RFC 6749 5.2',
    properties: { error: text, error_description: { type: 'string', description: 'what to do' } },
    required: ['error', 'error_description'],
  },
  Metadata: {
    type: 'object',
    description: 'RFC 8414 2',
    properties: {
      ...Object.fromEntries(
        [
          'issuer',
          'authorization_endpoint',
          'token_endpoint',
          'revocation_endpoint',
          'introspection_endpoint',
          'forwarding_endpoint',
        ].map((name) => [name, { type: 'string', format: 'uri' }]),
      ),
      ...Object.fromEntries(
        [
          'response_types_supported',
          'response_modes_supported',
          'grant_types_supported',
          'token_endpoint_auth_methods_supported',
          'revocation_endpoint_auth_methods_supported',
          'introspection_endpoint_auth_methods_supported',
          'code_challenge_methods_supported',
          'scopes_supported',
          'ui_locales_supported',
        ].map((name) => [name, { type: 'array', items: text }]),
      ),
      authorization_response_iss_parameter_supported: { type: 'boolean' },
    },
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'],
  },
  Introspection: {
    type: 'object',
    description:
      'RFC 7662 2.2; only `active` if the token is not valid, or if the application may not ask about it',
    properties: {
      active: { type: 'boolean' },
      scope: text,
      client_id: text,
      sub: { type: 'string', description: 'id of the account that granted' },
      iss: text,
      iat: { type: 'integer', description: 'issued, in seconds since 1970 UTC' },
      exp: { type: 'integer', description: 'valid until, in seconds since 1970 UTC' },
      token_type: { const: 'bearer' },
    },
    required: ['active'],
  },
};

/** `#/components/securitySchemes`: how an application authenticates. */
export const clientScheme = {
  type: 'http',
  scheme: 'basic',
  description:
    'client_id and client_secret of the application. They never go into the body or the query.',
};

const tag = 'authorization';

export const authorizationTag = {
  name: tag,
  description:
    'How an application obtains an owner’s permission, and how that ends (OAuth 2.0, RFC 6749).',
};

/** The paths of the authorization endpoints. */
export const authorizationPaths = {
  '/oauth/authorize': {
    get: {
      operationId: 'authorize',
      tags: [tag],
      summary: 'Asks the owner for permission. Send the owner’s browser here.',
      security: [],
      parameters: [
        query('response_type', { const: 'code' }, 'always `code`', true),
        query('client_id', text, 'of the application', true),
        query(
          'redirect_uri',
          { type: 'string', format: 'uri' },
          'the registered callback address, exactly',
          true,
        ),
        query(
          'scope',
          { type: 'string', examples: [Object.keys(scopes).join(' ')] },
          'separated by spaces; by default, everything that the application may ask for',
        ),
        query('state', { type: 'string', maxLength: STATE_LENGTH_AT_MOST }, 'returned unchanged'),
        query(
          'code_challenge',
          { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
          'RFC 7636; required for some applications',
        ),
        query('code_challenge_method', { const: 'S256' }, 'with `code_challenge`'),
        query('prompt', { type: 'string' }, '`consent`: ask the owner again'),
        query('ui_locales', { type: 'string' }, 'languages of the pages: en, de, es, zh'),
      ],
      responses: {
        200: page('The page where the owner signs in and decides.'),
        303: {
          description:
            'A redirect to the callback address, with `code` and `state`, or with `error`, `error_description` and `state`.',
          headers: { Location: { schema: { type: 'string', format: 'uri' } } },
        },
        400: page(
          'The callback address is not known to be the application’s, so a page says what is wrong.',
        ),
        500: page('Internal error.'),
        503: page('Temporarily unavailable.'),
      },
    },
  },
  '/oauth/token': endpoint({
    id: 'token',
    summary:
      'Exchanges a code or a refresh token for a token pair. A code works once; so does a refresh token.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        schema: { type: 'string', pattern: '^[!-~]{16,64}$' },
        description:
          'repeating the request with the same key within 60 s returns the same answer, byte for byte',
      },
    ],
    body: {
      type: 'object',
      oneOf: [
        {
          title: 'exchange of a code',
          properties: {
            grant_type: { const: 'authorization_code' },
            code: text,
            redirect_uri: text,
            code_verifier: text,
          },
          required: ['grant_type', 'code', 'redirect_uri'],
        },
        {
          title: 'refresh',
          properties: { grant_type: { const: 'refresh_token' }, refresh_token: text, scope: text },
          required: ['grant_type', 'refresh_token'],
        },
      ],
    },
    answer: { description: 'The pair.', schema: { $ref: '#/components/schemas/TokenPair' } },
    refusals: namesAfter('idempotencyKeyTaken', 'grantTypeMissing').filter(
      (name) => name !== 'tokenMissing',
    ),
  }),
  '/oauth/revoke': endpoint({
    id: 'revoke',
    summary:
      'Ends a token. Ending a refresh token ends its access token too. The answer is the same if there is nothing to end.',
    body: {
      type: 'object',
      properties: { token: text, token_type_hint: text },
      required: ['token'],
    },
    answer: { description: 'Done.', schema: { type: 'object' } },
    refusals: ['tokenMissing'],
  }),
  '/oauth/introspect': endpoint({
    id: 'introspect',
    summary:
      'Says whether a token is valid: an application asks about its own tokens, a resource server about any.',
    body: {
      type: 'object',
      properties: { token: text, token_type_hint: text },
      required: ['token'],
    },
    answer: {
      description: 'Whether the token is valid, and for what.',
      schema: { $ref: '#/components/schemas/Introspection' },
    },
    refusals: ['tokenMissing'],
  }),
  '/.well-known/oauth-authorization-server': {
    get: {
      operationId: 'metadata',
      tags: [tag],
      summary: 'Describes the authorization server (RFC 8414).',
      security: [],
      responses: {
        200: {
          description: 'The metadata.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Metadata' } } },
        },
      },
    },
  },
};

function query(name: string, schema: JsonSchema, description: string, required = false): object {
  return { name, in: 'query', ...(required && { required }), schema, description };
}

function page(description: string): object {
  return { description, content: { 'text/html': { schema: text } } };
}

interface Endpoint {
  readonly id: string;
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly body: object;
  readonly answer: { readonly description: string; readonly schema: JsonSchema };
  /** Refusals in addition to those of every endpoint. */
  readonly refusals: readonly OauthErrorName[];
}

function endpoint({ id, summary, parameters, body, answer, refusals }: Endpoint): object {
  return {
    post: {
      operationId: id,
      tags: [tag],
      summary,
      security: [{ client: [] }],
      ...(parameters && { parameters }),
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: body } },
      },
      responses: {
        200: {
          description: answer.description,
          content: { 'application/json': { schema: answer.schema } },
        },
        ...refused([
          ...namesAfter('clientThrottled', 'notForm'),
          ...refusals,
          'transportInsecure',
          'internal',
          'unavailable',
          'tooManyRequests',
        ]),
      },
    },
  };
}

/** The names in the registry from one to another, both included. */
function namesAfter(last: OauthErrorName, first: OauthErrorName): OauthErrorName[] {
  const names = Object.keys(oauthErrors) as OauthErrorName[];
  return names.slice(names.indexOf(first), names.indexOf(last) + 1);
}

function refused(names: readonly OauthErrorName[]): object {
  const statuses = [...new Set(names.map((name) => oauthErrors[name].status))].toSorted(
    (a, b) => a - b,
  );
  return Object.fromEntries(
    statuses.map((status) => {
      const members = names.filter((name) => oauthErrors[name].status === status);
      const example = (name: OauthErrorName): object => ({
        error: oauthErrors[name].error,
        error_description: oauthErrors[name].description,
      });
      return [
        status,
        {
          description: members
            .map((name) => `- \`${oauthErrors[name].error}\` ${oauthErrors[name].description}`)
            .join('\n'),
          ...headerDescriptionsOf('requestId', ...refusalHeaders(status)),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/OauthError' },
              examples: Object.fromEntries(members.map((name) => [name, { value: example(name) }])),
            },
          },
        },
      ];
    }),
  );
}
