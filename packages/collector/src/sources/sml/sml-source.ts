import { readSourceMap } from '@helioport/devices/sources';
import type { SourceAddress } from '../source-address.ts';
import type { Source, SourceSurroundings } from '../source.ts';
import { listenToTelegrams } from '../telegrams.ts';
import { createSmlParser } from './transport.ts';

/** A meter that sends SML: at an infrared head, or a reader in the network. */
export function openSml(address: SourceAddress, surroundings: SourceSurroundings): Source {
  const part = readSourceMap('sml').parts['meter']!;
  const telegrams = listenToTelegrams({
    ...surroundings,
    address,
    createParser: createSmlParser,
    remedy:
      'path' in address
        ? 'is the infrared head in its place, and the rate that of the meter (9600 baud)?'
        : 'does the reader pass the bytes on unchanged?',
  });
  return {
    counters: telegrams.counters,
    release: telegrams.release,
    close: telegrams.release,
    async read(signal) {
      const { at, telegram } = await telegrams.next(signal);
      const { sn, maker, fields } = telegram;
      const model = maker === null ? 'SML meter' : `SML meter ${maker}`;
      return { at, devices: [{ sn, part, model, fields }] };
    },
  };
}
