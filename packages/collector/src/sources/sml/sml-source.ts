import { readSourceMap } from '@helioport/devices/sources';
import type { SourceAddress } from '../source-address.ts';
import type { Source, SourceSurroundings } from '../source.ts';
import { openTelegrams } from '../telegrams.ts';
import { createSmlParser } from './transport.ts';

/** A meter that sends SML: at an infrared head, or a reader in the network. */
export function openSml(address: SourceAddress, surroundings: SourceSurroundings): Source {
  const part = readSourceMap('sml').parts['meter']!;
  return openTelegrams({
    ...surroundings,
    address,
    createParser: createSmlParser,
    remedy:
      'path' in address
        ? 'is the infrared head in its place, and the rate that of the meter (9600 baud)?'
        : 'does the reader pass the bytes on unchanged?',
    deviceOf: ({ sn, maker, fields }) => ({
      sn,
      part,
      model: maker === null ? 'SML meter' : `SML meter ${maker}`,
      fields,
    }),
  });
}
