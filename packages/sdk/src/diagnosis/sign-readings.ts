import { fromBase64, fromHex, hex, textOf } from './bytes.ts';
import type { Cause } from './fault.ts';

/** A digest that a sign may stand for, in hexadecimal digits, and what is wrong with how it is written. */
export interface SignReading {
  readonly digest: string;
  readonly cause?: Cause;
}

const DIGEST_LENGTHS = [16, 20, 32, 64];

/** The digests that a sign can be read as, the literal one first. */
export function signReadings(sign: string): SignReading[] {
  const readings: SignReading[] = [];
  const add = (bytes: Uint8Array | undefined, cause?: Cause): void => {
    if (bytes && DIGEST_LENGTHS.includes(bytes.length))
      readings.push({ digest: hex(bytes), ...(cause && { cause }) });
  };
  if (/^[0-9a-f]+$/i.test(sign)) add(fromHex(sign), 'signHex');
  const canonical = /^[A-Za-z0-9+/]+={0,2}$/.test(sign) && sign.length % 4 === 0;
  add(fromBase64(sign), canonical ? undefined : /[-_]/.test(sign) ? 'signUrlSafe' : 'signPadding');
  const inner = textOf(fromBase64(sign) ?? new Uint8Array(0));
  if (inner !== undefined && /^[0-9a-f]+$/i.test(inner)) add(fromHex(inner), 'signHexBase64');
  if (sign.includes('%')) add(fromBase64(percentDecoded(sign)), 'signPercent');
  if (/ /.test(sign.trim())) add(fromBase64(sign.trim().replaceAll(' ', '+')), 'signPlus');
  if (/[^A-Za-z0-9+/=]/.test(sign))
    add(fromBase64(sign.replace(/[^A-Za-z0-9+/]/g, '')), 'signForm');
  return readings;
}

const percentDecoded = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
