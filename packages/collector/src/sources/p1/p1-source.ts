import { readSourceMap } from '@helioport/devices/sources';
import type { SourceAddress } from '../source-address.ts';
import type { Source, SourceSurroundings } from '../source.ts';
import { openTelegrams } from '../telegrams.ts';
import { createP1Parser } from './telegram.ts';

/** A smart meter with a P1 port, at a serial cable or a reader in the network. */
export function openP1(address: SourceAddress, surroundings: SourceSurroundings): Source {
  const part = readSourceMap('p1').parts['meter']!;
  return openTelegrams({
    ...surroundings,
    address,
    createParser: createP1Parser,
    remedy:
      'path' in address
        ? 'older meters (DSMR 2 and 3) write at 9600 baud: add ?baud=9600; the cable must invert the signal'
        : 'does the reader pass telegrams on unchanged?',
    deviceOf: ({ name, sn, fields, clockAt }) => ({
      sn,
      part,
      model: `P1 meter ${name}`,
      fields,
      ...(clockAt !== null && { clockAt }),
    }),
  });
}
