import { errorEnvelope, successEnvelope } from '../envelope.ts';
import type { ErrorCode } from '../error-codes.ts';
import { errors } from '../errors.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Operation } from '../operation.ts';

const REFUSAL: JsonSchema = { $ref: '#/components/schemas/Refusal' };

/** `#/components/schemas/Refusal`. */
export const refusalSchema: JsonSchema = {
  type: 'object',
  description: 'The form of every refusal.',
  properties: {
    success: { const: false },
    code: { type: 'string', description: 'a code from the list of errors' },
    msg: { type: 'string', description: 'the cause, for people' },
    data: { description: 'what helps to correct the request, or null' },
  },
  required: ['success', 'code', 'msg', 'data'],
};

const text: JsonSchema = { type: 'string' };

const headers = {
  requestId: { description: 'quote it when you report a fault', schema: text },
  rateLimit: {
    description:
      'what is left, as `"key";r=9;t=1` or, with a token, `"authorization";r=9;t=1`: `r` requests are left, and all are available again in `t` seconds',
    schema: text,
  },
  rateLimitPolicy: {
    description:
      'the limit, as `"key";q=10;w=1` or, with a token, `"authorization";q=10;w=1`: `q` requests are allowed in `w` seconds',
    schema: text,
  },
  retryAfter: { description: 'seconds to wait', schema: { type: 'integer', minimum: 0 } },
  challenge: { description: 'how to authenticate', schema: text },
};

export type HeaderName = keyof typeof headers;

/** `#/components/headers`: the headers of answers. */
export const headersNamed = (names: readonly HeaderName[]): object =>
  Object.fromEntries(names.map((name) => [name, headers[name]]));

/** A reference to headers, under the names that they have on the wire. */
export function headerDescriptionsOf(...names: readonly HeaderName[]): object {
  const wire: Record<HeaderName, string> = {
    requestId: 'X-Request-Id',
    rateLimit: 'RateLimit',
    rateLimitPolicy: 'RateLimit-Policy',
    retryAfter: 'Retry-After',
    challenge: 'WWW-Authenticate',
  };
  return {
    headers: Object.fromEntries(
      names.map((name) => [wire[name], { $ref: `#/components/headers/${name}` }]),
    ),
  };
}

/** The answer with status 200: the data, or a refusal, which a client recognizes by its code. */
export function answer(
  { errors: names, example }: Operation,
  data: JsonSchema,
  headerNames: readonly HeaderName[],
): object {
  const business = names.filter((name) => errors[name].status === 200);
  return {
    description: [
      '`code` is `"0"` on success; otherwise one of these:',
      '',
      ...business.map((name) => line(name)),
    ].join('\n'),
    ...headerDescriptionsOf(...headerNames),
    content: {
      'application/json': {
        schema: { anyOf: [envelopeSchema(data), REFUSAL] },
        examples: { success: { value: successEnvelope(example.data) }, ...examplesOf(business) },
      },
    },
  };
}

const envelopeSchema = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { success: { const: true }, code: { const: '0' }, msg: { type: 'string' }, data },
  required: ['success', 'code', 'msg', 'data'],
});

/** Advice that replaces the registry's, which is about signed requests. */
export type Advice = Partial<Record<ErrorCode, string>>;

/** Names of errors by their status. */
export function byStatus(names: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>();
  for (const name of names)
    statuses.set(errors[name].status, [...(statuses.get(errors[name].status) ?? []), name]);
  return statuses;
}

/** The answer for a status: every refusal that has it, with its code and what to do. */
export const refusals = (
  status: number,
  names: readonly ErrorCode[],
  advice: Advice,
  headerNames: readonly HeaderName[],
): object => ({
  description: names.map((name) => line(name, advice)).join('\n'),
  ...headerDescriptionsOf(
    ...headerNames.filter((name) => name === 'requestId'),
    ...refusalHeaders(status),
  ),
  content: { 'application/json': { schema: REFUSAL, examples: examplesOf(names) } },
});

const line = (name: ErrorCode, advice: Advice = {}): string =>
  `- \`${errors[name].code}\` ${errors[name].message}. ${advice[name] ?? errors[name].advice}`;

/** Headers that come with a status. */
export function refusalHeaders(status: number): readonly HeaderName[] {
  if (status === 401) return ['challenge'];
  return status === 429 || status === 503 ? ['retryAfter'] : [];
}

const examplesOf = (names: readonly ErrorCode[]): object =>
  Object.fromEntries(
    names.map((name) => [name, { summary: errors[name].message, value: errorEnvelope(name) }]),
  );
