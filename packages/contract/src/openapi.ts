import { successEnvelope, errorEnvelope } from './envelope.ts';
import { errors, type ErrorCode } from './errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { scopes } from './oauth.ts';
import { applicationPaths, userPaths, type Operation } from './operation.ts';
import type { ParameterTable } from './parameters.ts';

/** What the document says beside the operations. */
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
      description: `${TOLERANCE} Every operation is offered under /v1/api/ and /v2/api/ alike: the prefixes are naming conventions, and the path that is called is the one that is signed.`,
    },
    url,
    operations,
    pathOf: (operation) => userPaths(operation)[operation.scope === 'control_device' ? 1 : 0],
    securitySchemes: { signature },
    security: () => [{ signature: [] }],
    parameters: signatureHeaders,
    common: ['malformedRequest', 'notAuthenticated', 'signatureRefused', 'clockSkew', ...CARRIED],
  });

/** The OAuth interface: Bearer tokens. Operations without a scope are not offered there. */
export const applicationOpenApi = ({ operations, url, version }: ReferenceOptions): OpenApiDocument =>
  documentOf({
    info: { title: 'Helioport, OAuth interface', version, description: `${TOLERANCE} Tokens are valid for the plants that their owner consented to.` },
    url,
    operations: operations.filter(({ scope }) => scope !== null),
    pathOf: (operation) => applicationPaths(operation)[0],
    securitySchemes: { oauth: oauthOf(url) },
    security: ({ scope }) => [{ oauth: scope === null ? [] : [scope] }],
    parameters: [],
    common: ['malformedRequest', 'notAuthenticated', 'scopeMissing', ...CARRIED],
    advice: { notAuthenticated: 'Send `Authorization: Bearer <access_token>` with a token that is valid.' },
  });

const TOLERANCE =
  'Every request is a POST with a JSON object; numbers may be sent as text and unknown keys are ignored. Every answer is an envelope: read `code`, ' +
  'which is "0" when the call worked. A field whose value is not known is left out. Ids are strings of digits.';

const CARRIED: readonly ErrorCode[] = ['tooLarge', 'unsupportedMediaType', 'tooManyRequests', 'internal', 'unavailable'];

const signature = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description:
    '`API <KeyID>:<sign>`, where sign is the base64 of the HMAC-SHA1, keyed with KeySecret, over five parts joined by a line feed: POST, the Content-MD5, ' +
    'the Content-Type, the Date and the path.',
};

const signatureHeaders = [
  { name: 'Content-MD5', in: 'header', required: true, schema: { type: 'string' }, description: 'base64 of the MD5 digest of the body as sent' },
  {
    name: 'Date',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description: 'GMT time such as `Fri, 6 Nov 2026 11:05:00 GMT`, within 15 minutes of the time of the server',
  },
];

const scopeMeanings = Object.fromEntries(Object.entries(scopes).map(([name, { meaning }]) => [name, meaning]));

const oauthOf = (url: string) => ({
  type: 'oauth2',
  flows: {
    authorizationCode: { authorizationUrl: `${url}/oauth/authorize`, tokenUrl: `${url}/oauth/token`, refreshUrl: `${url}/oauth/token`, scopes: scopeMeanings },
  },
});

interface DocumentParts {
  info: object;
  url: string;
  operations: readonly Operation[];
  pathOf: (operation: Operation) => string | undefined;
  securitySchemes: object;
  security: (operation: Operation) => readonly object[];
  parameters: readonly object[];
  /** Refusals that any operation may answer, each with a status of its own. */
  common: readonly ErrorCode[];
  /** Where the registry's advice speaks of the other interface. */
  advice?: Partial<Record<ErrorCode, string>>;
}

function documentOf({ info, url, operations, pathOf, securitySchemes, security, parameters, common, advice = {} }: DocumentParts): OpenApiDocument {
  const families = [...new Set(operations.map(({ family }) => family))];
  const pathItem = (operation: Operation): object => ({
    post: {
      operationId: operation.id.replaceAll('/', '_'),
      tags: [operation.family],
      summary: operation.summary,
      ...(describe(operation) !== '' && { description: describe(operation) }),
      security: security(operation),
      ...(parameters.length > 0 && { parameters }),
      requestBody: { required: false, content: { 'application/json': { schema: requestSchema(operation), example: operation.example.request } } },
      responses: { 200: answer(operation), ...refusals(operation.write ? [...common, 'replayed'] : common) },
    },
  });
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url }],
    tags: families.map((name) => ({ name })),
    paths: Object.fromEntries(operations.map((operation) => [pathOf(operation), pathItem(operation)])),
    components: {
      securitySchemes,
      schemas: { Refusal: refusalSchema },
      responses: Object.fromEntries([...common, 'replayed' as const].map((name) => [name, refusal(name, advice[name])])),
    },
  };
}

const describe = ({ description, aliases, own }: Operation): string =>
  [
    own === true && 'Our own operation: the existing interface has none like it.',
    description,
    aliases !== undefined && `Also called ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`,
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');

/** The schema of a request body. */
export function requestSchema({ request, needsOneOf, atMostOneOf }: Operation): JsonSchema {
  const parameters = Object.values(request);
  const names = parameters.filter(({ required }) => required).map(({ names: [name] }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.names[0], { ...parameter.schema, description: parameterText(parameter) }])),
    ...(names.length > 0 && { required: names }),
    ...(needsOneOf !== undefined && { anyOf: needsOneOf.map((name) => ({ required: [request[name]!.names[0]] })) }),
    ...(atMostOneOf !== undefined && { not: { required: atMostOneOf.map((name) => request[name]!.names[0]) } }),
  };
}

/** What a parameter is for, which values it takes and how else it may be called. */
export const parameterText = ({ meaning, schema, names: [, ...others] }: ParameterTable[string]): string =>
  [meaning, schema.description, others.length > 0 && `also called ${others.map((name) => `\`${name}\``).join(', ')}`]
    .filter((part) => typeof part === 'string')
    .join('; ');

function answer({ response, errors: names, example }: Operation): object {
  const business = names.filter((name) => errors[name].status === 200);
  return {
    description: 'The envelope: `code` is "0" when the call worked, else that of a refusal.',
    content: {
      'application/json': {
        schema: { anyOf: [envelopeSchema(response.schema), { $ref: '#/components/schemas/Refusal' }] },
        examples: {
          success: { value: successEnvelope(example.data) },
          ...Object.fromEntries(business.map((name) => [name, { summary: errors[name].message, value: errorEnvelope(name) }])),
        },
      },
    },
  };
}

const refusals = (names: readonly ErrorCode[]): object =>
  Object.fromEntries(names.map((name) => [errors[name].status, { $ref: `#/components/responses/${name}` }]));

const refusal = (name: ErrorCode, advice: string = errors[name].advice): object => ({
  description: `${errors[name].message}. ${advice}`,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' }, example: errorEnvelope(name) } },
});

const envelopeSchema = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { success: { const: true }, code: { const: '0' }, msg: { type: 'string' }, data },
  required: ['success', 'code', 'msg', 'data'],
});

const refusalSchema: JsonSchema = {
  type: 'object',
  description: 'What every refusal looks like.',
  properties: {
    success: { const: false },
    code: { type: 'string', description: 'a code of the list of errors' },
    msg: { type: 'string' },
    data: { description: 'what helps to mend the request, or null' },
  },
  required: ['success', 'code', 'msg', 'data'],
};
