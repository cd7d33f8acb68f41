import { readWebhook, WebhookError, type WebhookOptions } from '@helioport/sdk';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

const AT = 1_793_963_100_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const event = {
  id: '1-2-0',
  kind: 'device.state',
  version: 1,
  sequence: 3,
  occurredAt: AT,
  recordedAt: AT,
  plantId: '1',
  deviceSn: 'Süd–1',
  data: {},
};

/** A request signed by the reference library. */
function signed(
  body: string,
  { id = 'msg_1', at = AT, secret = SECRET } = {},
): { headers: Record<string, string>; body: string } {
  const signature = new Webhook(secret).sign(id, new Date(at), body);
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': `${at / 1000}`,
      'webhook-signature': signature,
    },
    body,
  };
}

const read = (request: ReturnType<typeof signed>, options: Partial<WebhookOptions> = {}): unknown =>
  readWebhook(request, { secrets: [SECRET], clock: { now: () => AT }, ...options });

test('reads what the reference library has signed: an event, or several', () => {
  expect(read(signed(JSON.stringify(event)))).toEqual([event]);
  expect(read(signed(JSON.stringify([event, { ...event, sequence: 4 }])))).toEqual([
    event,
    { ...event, sequence: 4 },
  ]);
});

test('takes headers as Node and as fetch give them, in any case', () => {
  const { headers, body } = signed(JSON.stringify(event));
  expect(
    readWebhook(
      { headers: new Headers(headers), body },
      { secrets: [SECRET], clock: { now: () => AT } },
    ),
  ).toEqual([event]);
  const loud = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  expect(
    readWebhook({ headers: loud, body }, { secrets: [SECRET], clock: { now: () => AT } }),
  ).toEqual([event]);
});

test('takes one of several signatures and secrets, as while they are rotated', () => {
  const request = signed(JSON.stringify(event));
  request.headers['webhook-signature'] =
    `v1a,abc v1,${'A'.repeat(43)}= ${request.headers['webhook-signature']}`;
  expect(read(request)).toEqual([event]);
  expect(read(request, { secrets: [OTHER, SECRET] })).toEqual([event]);
  expect(() => read(request, { secrets: [OTHER] })).toThrow(
    new WebhookError('the signature is not ours'),
  );
});

test('takes requests of the last and the next five minutes, or as set', () => {
  const request = signed(JSON.stringify(event));
  for (const shift of [-300_000, 300_000])
    expect(read(request, { clock: { now: () => AT + shift } })).toEqual([event]);
  for (const shift of [-301_000, 301_000])
    expect(() => read(request, { clock: { now: () => AT + shift } })).toThrow(
      'the request is not of this time',
    );
  expect(() => read(request, { clock: { now: () => AT + 11_000 }, toleranceSeconds: 10 })).toThrow(
    'the request is not of this time',
  );
});

test.each([
  ['another body', { body: `${JSON.stringify(event)} ` }, 'the signature is not ours'],
  ['another id', { 'webhook-id': 'msg_2' }, 'the signature is not ours'],
  ['another time', { 'webhook-timestamp': `${AT / 1000 + 1}` }, 'the signature is not ours'],
  ['a signature cut short', { 'webhook-signature': 'v1,' }, 'the signature is not ours'],
  ['no signature of version 1', { 'webhook-signature': 'v2,abc' }, 'the signature is not ours'],
  ['no time', { 'webhook-timestamp': 'now' }, 'webhook-timestamp is no time'],
  ['no id', { 'webhook-id': undefined }, 'a header of Standard Webhooks is missing'],
  ['no timestamp', { 'webhook-timestamp': undefined }, 'a header of Standard Webhooks is missing'],
  ['no signature', { 'webhook-signature': undefined }, 'a header of Standard Webhooks is missing'],
])(
  'refuses a request with %s',
  (_, { body, ...headers }: Record<string, string | undefined>, message) => {
    const request = signed(JSON.stringify(event));
    expect(() =>
      readWebhook(
        { headers: { ...request.headers, ...headers }, body: body ?? request.body },
        { secrets: [SECRET], clock: { now: () => AT } },
      ),
    ).toThrow(new WebhookError(message));
  },
);

test.each([
  '',
  '[]',
  '{}',
  '"text"',
  'null',
  '[{}]',
  JSON.stringify({ ...event, sequence: '3' }),
  JSON.stringify({ ...event, id: 7 }),
])('refuses %s, though it is signed: that is no event', (body) => {
  expect(() => read(signed(body))).toThrow(new WebhookError('the request holds no event'));
});

test('takes neither a signature with something behind it, nor one of another version', () => {
  const request = signed(JSON.stringify(event));
  const signature = request.headers['webhook-signature']!;
  for (const other of [
    `${signature}A`,
    signature.slice(0, -1),
    signature.replace('v1,', 'v2,'),
    signature.slice(3),
  ]) {
    expect(
      () => read({ ...request, headers: { ...request.headers, 'webhook-signature': other } }),
      other,
    ).toThrow('the signature is not ours');
  }
});

test('says that a secret is none', () => {
  expect(() => read(signed(JSON.stringify(event)), { secrets: ['secret'] })).toThrow(
    new TypeError('a secret begins with whsec_'),
  );
});
