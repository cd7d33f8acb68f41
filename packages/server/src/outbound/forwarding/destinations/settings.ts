import { randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Instant, Json } from '../../../platform/storage/database.ts';
import { readDestinationAddress } from '../../sinks/address.ts';
import type { OpenDestination } from '../../sinks/sink.ts';

/** What an application says of a destination, besides which events it takes. */
export interface DestinationSettings {
  readonly url: string;
  /** MQTT: template of the topic. RocketMQ: the topic. */
  readonly topic?: string | undefined;
  readonly protocolVersion?: '5' | '3.1.1' | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** PEM. */
  readonly caCertificates?: string | undefined;
  readonly batches?: boolean | undefined;
  readonly gzip?: boolean | undefined;
}

/** What is stored as it is. */
export interface DestinationOptions {
  readonly topic: string | null;
  readonly protocolVersion: '5' | '3.1.1';
  readonly caCertificates: string | null;
  readonly batches: boolean;
  readonly gzip: boolean;
}

/** What is stored encrypted. */
export interface DestinationSecrets {
  /** Signing secrets of HTTP, the newest first. */
  readonly signing: readonly { readonly text: string; readonly endsAt: Instant | null }[];
  readonly username: string | null;
  readonly password: string | null;
}

const DEFAULT_TOPIC = {
  http: null,
  mqtt: 'helioport/{plantId}/{deviceSn}/{kind}',
  rocketmq: 'helioport',
} as const;

const SECRET_BYTES = 32;

/** A new signing secret, in the form of Standard Webhooks. */
export const newSigningSecret = (): string =>
  `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** So many former secrets are kept, the newest: each costs a signature for every message, and room in the row. */
const FORMER_SECRETS = 4;

/** Signing secrets with a new one before them; the former ones count until `retireAt` at the latest. */
export const withNewSecret = (
  signing: DestinationSecrets['signing'],
  text: string,
  { retireAt, now }: { readonly retireAt: Instant; readonly now: Instant },
): DestinationSecrets['signing'] => [
  { text, endsAt: null },
  ...signing
    .map((former) => ({ ...former, endsAt: Math.min(former.endsAt ?? retireAt, retireAt) }))
    .filter(({ endsAt }) => endsAt > now)
    .slice(0, FORMER_SECRETS),
];

/** The stored parts of settings; with a signing secret if the transport has one. Throws invalidValue for an address that cannot be. */
export function settingPartsOf(settings: DestinationSettings): {
  options: DestinationOptions;
  secrets: DestinationSecrets;
} {
  const {
    url,
    topic,
    protocolVersion = '5',
    username = null,
    password = null,
    caCertificates = null,
    batches = false,
    gzip = false,
  } = settings;
  const { transport } = readDestinationAddress(url);
  return {
    options: {
      topic: topic ?? DEFAULT_TOPIC[transport],
      protocolVersion,
      caCertificates,
      batches,
      gzip,
    },
    secrets: {
      signing: transport === 'http' ? [{ text: newSigningSecret(), endsAt: null }] : [],
      username,
      password,
    },
  };
}

/** A destination as its sink needs it. */
export function openDestination(
  {
    id,
    url,
    options,
  }: { readonly id: string; readonly url: string; readonly options: DestinationOptions },
  { signing, username, password }: DestinationSecrets,
  now: Instant,
): OpenDestination {
  const { transport } = readDestinationAddress(url);
  const { topic, protocolVersion, caCertificates, batches, gzip } = options;
  const common = { id, url, caCertificates };
  if (transport === 'http') {
    const secrets = signing.flatMap(({ text, endsAt }) =>
      endsAt === null || endsAt > now ? [text] : [],
    );
    return { ...common, transport, secrets, batches, gzip };
  }
  if (transport === 'mqtt')
    return { ...common, transport, protocolVersion, topic: topic ?? '', username, password };
  return { ...common, transport, topic: topic ?? '', username, password };
}

export const secretsContext = (id: string): string => `destination:${id}`;

export const sealSecrets = (box: SecretBox, id: string, secrets: DestinationSecrets): Buffer =>
  box.seal(JSON.stringify(secrets), secretsContext(id));

export const unsealSecrets = (box: SecretBox, id: string, sealed: Uint8Array): DestinationSecrets =>
  JSON.parse(box.open(sealed, secretsContext(id))) as DestinationSecrets;

export const optionsOf = (options: Json): DestinationOptions =>
  JSON.parse(options) as DestinationOptions;
