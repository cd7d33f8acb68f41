import { X509Certificate } from 'node:crypto';
import { invalidValue } from '../../platform/kernel/failure.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { readDestinationAddress } from './address.ts';
import type { OpenDestination } from './sink.ts';
import { isWebhookSecret } from './standard-webhooks.ts';
import { parseTopicTemplate } from './topic-template.ts';

/** What RocketMQ takes for a topic; % and | are its own separators. */
const ROCKETMQ_TOPIC = /^[\w-]{1,127}$/;

const CREDENTIAL_LETTERS = 256;

/** Checks the settings of a destination before they are stored. Resolves names, so it must not run in a transaction. Throws invalidValue. */
export async function checkDestination(
  destination: OpenDestination,
  egress: Egress,
): Promise<void> {
  const { transport, host, encrypted } = readDestinationAddress(destination.url);
  if (transport !== destination.transport)
    throw invalidValue('url', `an address of the transport ${destination.transport}`);
  checkCertificates(destination.caCertificates, encrypted);
  if (destination.transport === 'http') {
    const { secrets } = destination;
    if (secrets.length === 0 || !secrets.every(isWebhookSecret))
      throw invalidValue('secret', 'whsec_ and the Base64 of 24 to 64 bytes');
  } else {
    checkCredentials(destination);
    if (destination.transport === 'mqtt') parseTopicTemplate(destination.topic);
    else if (!ROCKETMQ_TOPIC.test(destination.topic))
      throw invalidValue('topic', 'at most 127 letters, digits, _ and -');
  }
  await egress.resolve(host, encrypted).catch((error: Error) => {
    throw invalidValue(
      'url',
      `a host on the public internet, over an encrypted connection (${error.message})`,
    );
  });
}

function checkCredentials({
  username,
  password,
}: {
  username: string | null;
  password: string | null;
}): void {
  if (password !== null && username === null)
    throw invalidValue('username', 'a user name beside the password');
  for (const [field, text] of Object.entries({ username, password })) {
    if (text !== null && !/^\P{Cc}+$/u.test(text.slice(0, CREDENTIAL_LETTERS + 1)))
      throw invalidValue(field, 'no control characters');
    if (text !== null && text.length > CREDENTIAL_LETTERS)
      throw invalidValue(field, `at most ${CREDENTIAL_LETTERS} characters`);
  }
}

function checkCertificates(pem: string | null, encrypted: boolean): void {
  if (pem === null) return;
  if (!encrypted) throw invalidValue('caCertificates', 'none: the connection is not encrypted');
  const certificates =
    pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0 || pem.length > 65_536 || !certificates.every(isCertificate))
    throw invalidValue('caCertificates', 'certificates as PEM');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
