import { readSourceMap } from '@helioport/devices/sources';
import { BusFault } from '../../bus/faults.ts';
import { dialTcp } from '../../bus/line.ts';
import { createV4Parser, v4Request, V4_REQUESTS, type V4Reading } from '../../solarman/v4-frame.ts';
import { deviceAddressText, type HostAddress } from '../source-address.ts';
import {
  SourceFault,
  type Source,
  type SourceCounters,
  type SourceSurroundings,
} from '../source.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
/** The frames of further inverters follow the first one at once. */
const FURTHER_MS = 1_000;

/** The inverters behind an old stick, which sends a frame for each of them when it is asked. It takes one connection, so each reading has its own. */
export function openV4(address: HostAddress, { pause }: Pick<SourceSurroundings, 'pause'>): Source {
  const { parts } = readSourceMap('v4');
  const name = deviceAddressText(address);
  const serial = address.serial!;
  const counters: SourceCounters = { timeouts: 0, strays: 0, reconnects: 0 };
  /** The form of the request that it has answered. */
  let known: number | undefined;

  async function ask(form: number, signal: AbortSignal): Promise<readonly V4Reading[]> {
    const parse = createV4Parser();
    const found = new Map<string, V4Reading>();
    const first = new AbortController();
    const ended = new AbortController();
    const line = await dialTcp(address.host, address.port)(
      {
        onBytes(bytes) {
          for (const reading of parse(bytes)) {
            if (reading.serial !== serial) counters.strays++;
            else found.set(reading.sn, reading);
          }
          if (found.size > 0) first.abort();
        },
        onEnd: () => ended.abort(),
      },
      AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]),
    );
    try {
      line.send(v4Request(serial, form));
      const over = AbortSignal.any([signal, ended.signal]);
      await pause(ANSWER_MS, AbortSignal.any([over, first.signal])).catch(() => {});
      if (found.size > 0) await pause(FURTHER_MS, over).catch(() => {});
      return [...found.values()];
    } finally {
      line.close();
    }
  }

  return {
    counters,
    release() {},
    async read(signal) {
      const forms = known === undefined ? [...V4_REQUESTS.keys()] : [known];
      for (const form of forms) {
        const readings = await ask(form, signal).catch((error: unknown) => {
          if (!(error instanceof BusFault)) throw error;
          throw new SourceFault(
            `${error.message}; is it the address of the stick, and in the same network?`,
            { cause: error },
          );
        });
        if (readings.length === 0) continue;
        known = form;
        return {
          devices: readings.map(({ sn, isGinlong, raw }) => ({
            sn,
            part: parts[isGinlong ? 'ginlong' : 'inverter']!,
            model: 'String inverter behind a V4 stick',
            fields: new Map(raw),
          })),
        };
      }
      if (signal.aborted) throw new SourceFault(`${name}: the collector was stopped`);
      counters.timeouts++;
      throw new SourceFault(
        `${name} has not answered in V4; is ${serial} the serial number on the label of the stick? The inverter may also be dark, or the stick is a newer one (v5://)`,
      );
    },
  };
}
