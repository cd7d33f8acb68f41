import { quantities } from '@helioport/contract';
import { gzipSync } from 'node:zlib';
import type { Chance } from './chance.ts';
import { damaged, hostileObject, hostileValue } from './values.ts';
import { wireOf, type Parts, type Wire } from './wire.ts';

export interface Reporter {
  readonly tokens: readonly string[];
  /** Serial numbers, bound and not. */
  readonly serials: readonly string[];
}

const QUANTITIES = [...quantities.keys()].slice(0, 60);
const BOMB = gzipSync(Buffer.alloc(9 * 1024 * 1024, 0x20));

/** A report for the gateway; about half come with a collector's true token. */
export function report(chance: Chance, reporter: Reporter, now: number): Wire {
  const lines = chance.oneIn(4);
  const readings = Array.from({ length: chance.below(8) }, () => reading(chance, reporter, now));
  const text = lines
    ? readings.join(chance.pick(['\n', '\r\n', '\n\n']))
    : `{"readings":${chance.oneIn(10) ? hostileValue(chance) : `[${readings.join(',')}]`}${chance.oneIn(3) ? `,"devices":${inventory(chance, reporter)}` : ''}}`;
  const plain = chance.oneIn(8) ? damaged(chance, text) : Buffer.from(text);
  const headers: [string, string][] = [
    [
      'Authorization',
      `Bearer ${chance.oneIn(2) ? chance.pick(reporter.tokens) : chance.bytes(30).toString('hex')}`,
    ],
    [
      'Content-Type',
      lines
        ? 'application/x-ndjson'
        : chance.pick([
            'application/json',
            'application/json',
            'application/json; charset=utf-8',
            'text/plain',
          ]),
    ],
  ];
  const parts: Parts = {
    method: chance.oneIn(30) ? 'GET' : 'POST',
    target: chance.oneIn(30) ? '/v1/readings?x' : '/v1/readings',
    headers,
    body: plain,
  };
  if (chance.oneIn(5)) compress(chance, parts);
  if (chance.oneIn(20)) parts.headers.shift();
  return wireOf(chance, parts);
}

function compress(chance: Chance, parts: Parts): void {
  parts.headers.push([
    'Content-Encoding',
    chance.pick(['gzip', 'gzip', 'x-gzip', 'br', 'gzip, gzip']),
  ]);
  if (chance.oneIn(2)) return;
  const whole = chance.oneIn(40) ? BOMB : gzipSync(parts.body);
  parts.body = chance.oneIn(3) ? whole.subarray(0, chance.below(whole.length)) : whole;
}

const DEVICE = ['sn', 'model', 'firmware', 'ratedPowerW', 'strings', '__proto__'];

function inventory(chance: Chance, { serials }: Reporter): string {
  if (chance.oneIn(8)) return hostileValue(chance);
  const devices = Array.from({ length: chance.below(4) }, () =>
    chance.oneIn(3)
      ? hostileObject(chance, DEVICE)
      : `{"sn":${JSON.stringify(chance.pick(serials))},"${chance.pick(DEVICE)}":${chance.oneIn(2) ? hostileValue(chance) : chance.below(9000)}}`,
  );
  return `[${devices.join(',')}]`;
}

function reading(chance: Chance, { serials }: Reporter, now: number): string {
  if (chance.oneIn(6)) return hostileObject(chance, ['sn', 'at', 'values', '__proto__']);
  const at = chance.oneIn(4)
    ? hostileValue(chance)
    : String(now - chance.below(40) * 60_000 + chance.pick([0, 0, 0, 1, 86_400_001, -1e12]));
  const values = chance.oneIn(4)
    ? hostileObject(chance, QUANTITIES)
    : JSON.stringify({
        acPowerW: chance.below(20_000) - 100,
        energyTotalKwh: chance.below(100_000),
        [chance.pick(QUANTITIES)]: chance.below(1000),
      });
  return `{"sn":${chance.oneIn(8) ? hostileValue(chance) : JSON.stringify(chance.pick(serials))},"at":${at},"values":${values}}`;
}
