import type { ErrorCode } from '../error-codes.ts';
import { errors } from '../errors.ts';
import { families } from '../families.ts';
import { scopes } from '../oauth.ts';
import { hasDoor, pathsOf, signedPath, type Door, type Operation } from '../operation.ts';
import {
  answer,
  byStatus,
  headersNamed,
  refusals,
  refusalSchema,
  type Advice,
  type HeaderName,
} from './answers.ts';
import {
  authorizationPaths,
  authorizationSchemas,
  authorizationTag,
  clientScheme,
} from './authorization.ts';
import { nameRecords } from './records.ts';
import { requestSchema } from './request.ts';

/** The sources of the document. */
export interface ReferenceOptions {
  readonly operations: readonly Operation[];
  /** Address of the interface, for example `https://solar.example:8080`. */
  readonly url: string;
  readonly version: string;
}

/** An OpenAPI 3.1 document; its parts are plain JSON. */
export type OpenApiDocument = Record<string, unknown>;

/** The user-level interface: signed requests. */
export const userOpenApi = ({ operations, url, version }: ReferenceOptions): OpenApiDocument =>
  documentOf({
    info: {
      title: 'Helioport, user-level interface',
      version,
      description: `${TOLERANCE} Every operation is available under both /v1/api/ and /v2/api/: the prefixes do not differ in meaning. Sign the path that you call.`,
    },
    url,
    doors: ['signed'],
    operations,
    pathOf: signedPath,
    securitySchemes: { signature },
    security: () => [{ signature: [] }],
    parameters: signatureHeaders,
    common: [
      'malformedRequest',
      'notAuthenticated',
      'signatureRefused',
      'keyRefused',
      'digestMismatch',
      'clockSkew',
      'tooManyRequests',
      ...CARRIED,
    ],
    answerHeaders: ['rateLimit', 'rateLimitPolicy'],
  });

/** The OAuth interface: Bearer tokens, and the endpoints that issue them. */
export const applicationOpenApi = ({
  operations,
  url,
  version,
}: ReferenceOptions): OpenApiDocument =>
  documentOf({
    info: {
      title: 'Helioport, OAuth interface',
      version,
      description: `${TOLERANCE} Tokens are valid for the plants that the owner consented to.`,
    },
    url,
    doors: ['oauth', 'client'],
    operations,
    pathOf: (operation) => [...pathsOf(operation, 'oauth'), ...pathsOf(operation, 'client')][0]!,
    securitySchemes: { oauth: oauthOf(url), client: clientScheme },
    security: ({ scope }) => [scope === undefined ? { client: [] } : { oauth: [scope] }],
    parameters: [],
    common: ['malformedRequest', 'notAuthenticated', 'scopeMissing', 'tooManyRequests', ...CARRIED],
    answerHeaders: ['requestId', 'rateLimit', 'rateLimitPolicy'],
    advice: {
      notAuthenticated: 'Send `Authorization: Bearer <access_token>` with a token that is valid.',
    },
    beside: { tags: [authorizationTag], paths: authorizationPaths, schemas: authorizationSchemas },
  });

const TOLERANCE =
  'Every request is a POST with a JSON object; numbers may be sent as strings and unknown keys are ignored. Every answer is an envelope: read `code`, ' +
  'which is "0" on success. A field whose value is unknown is omitted, never null; the fields that a record requires are always present. ' +
  'Ids are strings of digits. `x-unit` is the unit of a field, `x-unit-field` the sibling field that names the unit. Bodies may have at most 1 MiB. Any version may add fields: ignore those that you do not know.';

const CARRIED: readonly ErrorCode[] = [
  'tooLarge',
  'unsupportedMediaType',
  'internal',
  'unavailable',
];

const signature = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description:
    '`API <KeyID>:<sign>`, where sign is the base64 of the HMAC-SHA1, keyed with the KeySecret, over five parts joined by line feeds: `POST`, the headers ' +
    'Content-MD5, Content-Type and Date as they are sent, and the path without host. Content-Type is `application/json;charset=UTF-8`.',
};

const signatureHeaders = [
  {
    name: 'Content-MD5',
    in: 'header',
    required: true,
    schema: { type: 'string', examples: ['mZFLkyvTelC5g8XnyQrpOw=='] },
    description: 'base64 of the 16 bytes of the MD5 digest of the body as sent',
  },
  {
    name: 'Date',
    in: 'header',
    required: true,
    schema: { type: 'string', examples: ['Fri, 6 Nov 2026 11:05:00 GMT'] },
    description: 'the time in GMT, within 15 minutes of the server’s time',
  },
];

const scopeMeanings = Object.fromEntries(
  Object.entries(scopes).map(([name, { meaning }]) => [name, meaning]),
);

const oauthOf = (url: string) => ({
  type: 'oauth2',
  description: '`Authorization: Bearer <access_token>`; never in the query or the body.',
  flows: {
    authorizationCode: {
      authorizationUrl: `${url}/oauth/authorize`,
      tokenUrl: `${url}/oauth/token`,
      refreshUrl: `${url}/oauth/token`,
      scopes: scopeMeanings,
    },
  },
});

interface DocumentParts {
  info: object;
  url: string;
  /** Operations without any of these are left out. */
  doors: readonly Door[];
  operations: readonly Operation[];
  pathOf: (operation: Operation) => string;
  securitySchemes: object;
  security: (operation: Operation) => readonly object[];
  parameters: readonly object[];
  /** Refusals that any operation may return. */
  common: readonly ErrorCode[];
  /** Headers of an answer with status 200. */
  answerHeaders: readonly HeaderName[];
  advice?: Advice;
  /** Parts of the document that are not operations of the contract. */
  beside?: { readonly tags: readonly object[]; readonly paths: object; readonly schemas: object };
}

function documentOf(parts: DocumentParts): OpenApiDocument {
  const {
    info,
    url,
    doors,
    pathOf,
    securitySchemes,
    security,
    parameters,
    common,
    answerHeaders,
    advice = {},
    beside,
  } = parts;
  const operations = parts.operations.filter((operation) =>
    doors.some((door) => hasDoor(operation, door)),
  );
  const records = nameRecords(operations);
  const statuses = byStatus(
    operations.some(({ write }) => write) ? [...common, 'replayed'] : common,
  );
  const pathItem = (operation: Operation): object => ({
    post: {
      operationId: operation.id.replaceAll('/', '_'),
      tags: [operation.family],
      summary: operation.summary,
      ...(describe(operation) !== '' && { description: describe(operation) }),
      security: security(operation),
      ...(parameters.length > 0 && { parameters }),
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: requestSchema(operation),
            example: operation.example.request,
          },
        },
      },
      responses: {
        200: answer(operation, records.refer(operation.response.schema), answerHeaders),
        ...Object.fromEntries(
          [...statuses]
            .filter(([status]) => operation.write || status !== errors.replayed.status)
            .map(([status]) => [status, responseRef(status)]),
        ),
      },
    },
  });
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url }],
    externalDocs: {
      url: `${url}/reference`,
      description: 'the same for people to read, with requests to copy',
    },
    tags: [
      ...[...new Set(operations.map(({ family }) => family))].map((name) => ({
        name,
        description: families[name].description,
      })),
      ...(beside?.tags ?? []),
    ],
    paths: {
      ...Object.fromEntries(
        operations.map((operation) => [pathOf(operation), pathItem(operation)]),
      ),
      ...beside?.paths,
    },
    components: {
      securitySchemes,
      headers: headersNamed([...answerHeaders, 'challenge', 'retryAfter']),
      schemas: { Refusal: refusalSchema, ...records.schemas, ...beside?.schemas },
      responses: Object.fromEntries(
        [...statuses].map(([status, names]) => [
          `status${status}`,
          refusals(status, names, advice, answerHeaders),
        ]),
      ),
    },
  };
}

const responseRef = (status: number): object => ({
  $ref: `#/components/responses/status${status}`,
});

const describe = ({ description, aliases, own }: Operation): string =>
  [
    own === true && 'An addition of this service: the existing interface has no such operation.',
    description,
    aliases !== undefined && `Also called ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`,
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
