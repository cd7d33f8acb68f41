import { describe, expect, test } from 'vitest';
import { createEgress } from '../../../packages/server/src/platform/egress/egress.ts';
import { checkDestination } from '../../../packages/server/src/outbound/sinks/check.ts';
import type {
  HttpDestination,
  MqttDestination,
  OpenDestination,
  RocketMqDestination,
} from '../../../packages/server/src/outbound/sinks/sink.ts';
import { hasOpenssl, makeCertificate } from './certificates.ts';
import { LOOPBACK } from './suite.ts';

const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes).toString('base64')}`;

const http: HttpDestination = {
  id: '1',
  transport: 'http',
  url: 'https://a.example/',
  secrets: [SECRET],
  batches: false,
  gzip: false,
  caCertificates: null,
};
const credentials = { username: 'u', password: 'p', caCertificates: null };
const mqtt: MqttDestination = {
  id: '1',
  transport: 'mqtt',
  url: 'mqtts://a.example',
  protocolVersion: '5',
  topic: '{kind}',
  ...credentials,
};
const rocketMq: RocketMqDestination = {
  id: '1',
  transport: 'rocketmq',
  url: 'rocketmqs://a.example',
  topic: 'solar_1-x',
  ...credentials,
};

const egress = createEgress({
  allow: LOOPBACK,
  resolveName: async (name) => (name === 'a.example' ? ['93.184.216.34'] : []),
});
const check = (destination: OpenDestination): Promise<void> =>
  checkDestination(destination, egress);

test.each([http, mqtt, rocketMq])('takes settings that can be: $transport', async (destination) => {
  await check(destination);
});

test('takes two secrets, credentials that are none, and hosts in the clear that the operator allows', async () => {
  await check({ ...http, secrets: [secretOf(24), secretOf(64)] });
  for (const destination of [mqtt, rocketMq])
    await check({ ...destination, username: null, password: null });
  for (const destination of [mqtt, rocketMq]) await check({ ...destination, password: null });
  await check({ ...http, url: 'http://127.0.0.1:8000/' });
});

test.each<[OpenDestination, field: string, expected: string]>([
  [{ ...http, url: 'mqtts://a.example' }, 'url', 'an address of the transport http'],
  [{ ...mqtt, url: 'https://a.example' }, 'url', 'an address of the transport mqtt'],
  [{ ...http, url: 'https://nowhere.example' }, 'url', 'a host on the public internet'],
  [
    { ...http, url: 'http://a.example' },
    'url',
    'a host on the public internet, over an encrypted connection',
  ],
  [{ ...http, secrets: [] }, 'secret', 'whsec_'],
  [{ ...http, secrets: [SECRET, 'whsec_short'] }, 'secret', 'whsec_'],
  [{ ...http, secrets: [secretOf(23)] }, 'secret', 'whsec_'],
  [{ ...http, secrets: [secretOf(65)] }, 'secret', 'whsec_'],
  [{ ...http, secrets: [SECRET.slice(6)] }, 'secret', 'whsec_'],
  [{ ...http, secrets: [`${SECRET}!`] }, 'secret', 'whsec_'],
  [{ ...mqtt, topic: 'solar/#' }, 'topic', 'no wildcards'],
  [{ ...mqtt, username: null }, 'username', 'a user name beside the password'],
  [{ ...mqtt, username: 'a\nb' }, 'username', 'no control characters'],
  [{ ...rocketMq, password: '\u0000' }, 'password', 'no control characters'],
  [{ ...rocketMq, password: 'x'.repeat(257) }, 'password', 'at most 256 characters'],
  [{ ...rocketMq, username: '' }, 'username', 'no control characters'],
  [{ ...rocketMq, topic: '' }, 'topic', 'at most 127 letters'],
  [{ ...rocketMq, topic: 'a/b' }, 'topic', 'at most 127 letters'],
  [{ ...rocketMq, topic: '%RETRY%x' }, 'topic', 'at most 127 letters'],
  [{ ...rocketMq, topic: 'x'.repeat(128) }, 'topic', 'at most 127 letters'],
  [{ ...http, caCertificates: 'trust me' }, 'caCertificates', 'certificates as PEM'],
  [
    { ...http, caCertificates: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
    'caCertificates',
    'certificates as PEM',
  ],
  [
    { ...http, url: 'http://127.0.0.1/', caCertificates: 'x' },
    'caCertificates',
    'none: the connection is not encrypted',
  ],
])('refuses %j', async (destination, field, expected) => {
  await expect(check(destination)).rejects.toMatchObject({
    code: 'invalidValue',
    data: { field, expected: expect.stringContaining(expected) },
  });
});

describe.skipIf(!hasOpenssl)('certificates', () => {
  test('are taken as PEM, one or several', async () => {
    const { cert, remove } = makeCertificate();
    await check({ ...mqtt, caCertificates: cert });
    await check({ ...mqtt, caCertificates: `first:\n${cert}\n${cert}` });
    await expect(check({ ...mqtt, caCertificates: cert.repeat(200) })).rejects.toMatchObject({
      data: { field: 'caCertificates' },
    });
    remove();
  });
});
