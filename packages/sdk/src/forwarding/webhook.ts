import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { systemClock, type Clock } from '../clock.ts';
import { readEvents, type ReceivedEvent } from './event.ts';

/** A request as it arrived at a webhook. */
export interface WebhookRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The very text, unpacked if it was compressed: JSON that was read and written again has other bytes. */
  readonly body: string;
}

export interface WebhookOptions {
  /** `whsec_...`: the secret of the destination, or several while it is rotated. */
  readonly secrets: readonly string[];
  /** How far the sender's clock may be from ours. */
  readonly toleranceSeconds?: number;
  readonly clock?: Clock;
}

/** A request that does not come from Helioport, or not now. Answer it with status 400. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}

const TOLERANCE_SECONDS = 300;

/** Checks the signature and the time of a request (Standard Webhooks) and reads its events. Throws WebhookError. */
export function readWebhook(
  { headers, body }: WebhookRequest,
  { secrets, toleranceSeconds = TOLERANCE_SECONDS, clock = systemClock }: WebhookOptions,
): ReceivedEvent[] {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookError('a header of Standard Webhooks is missing');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is no time');
  if (Math.abs(clock.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('the request is not of this time, or a clock is wrong');
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  const expected = secrets.map((secret) => base64(hmac(sha256, keyOf(secret), content)));
  if (!expected.some((one) => given.some((other) => isSame(one, other))))
    throw new WebhookError('the signature is not ours');
  try {
    return readEvents(body);
  } catch {
    throw new WebhookError('the request holds no event');
  }
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

/** Compares without telling by its time where the first difference is. */
function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function keyOf(secret: string): Uint8Array {
  if (!secret.startsWith('whsec_')) throw new TypeError('a secret begins with whsec_');
  return Uint8Array.from(atob(secret.slice('whsec_'.length)), (letter) => letter.charCodeAt(0));
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
