import { BusFault } from '../bus/faults.ts';
import { dialTcp, type Dial, type Line } from '../bus/line.ts';
import { dialSerial } from '../bus/serial-line.ts';
import { deviceAddressText, type SourceAddress } from './source-address.ts';
import {
  SourceFault,
  type Source,
  type SourceCounters,
  type SourceDevice,
  type SourceSurroundings,
} from './source.ts';

/** Divides a stream of bytes into whole, checked telegrams. */
export interface TelegramParser<Telegram> {
  take(bytes: Buffer): Telegram[];
  /** How many were broken. */
  readonly broken: number;
}

export interface TelegramsOptions<Telegram> extends SourceSurroundings {
  readonly address: SourceAddress;
  readonly createParser: () => TelegramParser<Telegram>;
  readonly deviceOf: (telegram: Telegram) => SourceDevice;
  /** For a connection on which bytes arrive, but no telegram. */
  readonly remedy: string;
}

const CONNECT_MS = 5_000;
/** The slowest meters write every 10 s. */
const TELEGRAM_MS = 25_000;

/**
 * A meter that writes telegrams by itself, over one connection that is opened when a telegram is wanted. A reading is the newest
 * telegram that has not been given yet; it rejects with SourceFault if none comes in time.
 */
export function openTelegrams<Telegram>({
  address,
  createParser,
  deviceOf,
  remedy,
  clock,
  pause,
}: TelegramsOptions<Telegram>): Source {
  const name = deviceAddressText(address);
  const counters: SourceCounters = { timeouts: 0, strays: 0, reconnects: 0 };
  const dial: Dial =
    'path' in address
      ? dialSerial({ ...address, parity: 'none', stopBits: 1 })
      : dialTcp(address.host, address.port);
  let [line, newest] = [undefined as Line | undefined, undefined as Newest | undefined];
  let hasBytes = false;
  let wake: (() => void) | undefined;
  interface Newest {
    readonly at: number;
    readonly telegram: Telegram;
  }

  async function open(signal: AbortSignal): Promise<void> {
    const parser = createParser();
    let broken = 0;
    let opened: Line | undefined;
    try {
      opened = await dial(
        {
          onBytes(bytes) {
            hasBytes = true;
            for (const telegram of parser.take(bytes)) newest = { at: clock.now(), telegram };
            counters.strays += parser.broken - broken;
            broken = parser.broken;
            if (newest) wake?.();
          },
          onEnd() {
            if (line !== opened) return;
            line = undefined;
            wake?.();
          },
        },
        AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]),
      );
      line = opened;
    } catch (error) {
      throw new SourceFault(`${(error as Error).message}; ${connectRemedy(error, address)}`, {
        cause: error,
      });
    }
  }

  function release(): void {
    line?.close();
    [line, newest] = [undefined, undefined];
  }

  return {
    counters,
    release,
    async read(signal) {
      if (!line) {
        newest = undefined;
        await open(signal);
      }
      hasBytes = false;
      const done = new AbortController();
      wake = () => done.abort();
      if (!newest && line)
        await pause(TELEGRAM_MS, AbortSignal.any([signal, done.signal])).catch(() => {});
      wake = undefined;
      const taken = newest;
      newest = undefined;
      if (taken) return { at: taken.at, devices: [deviceOf(taken.telegram)] };
      const wasOpen = line !== undefined;
      release();
      counters.reconnects++;
      if (signal.aborted) throw new SourceFault(`${name}: the collector was stopped`);
      if (!wasOpen)
        throw new SourceFault(
          `${name} has ended the connection; most readers serve one program: end the other one`,
        );
      counters.timeouts++;
      throw new SourceFault(
        hasBytes
          ? `${name} sends something, but no whole telegram; ${remedy}`
          : `${name} sends nothing; is the cable in the right port of the meter, and is that port switched on?`,
      );
    },
  };
}

function connectRemedy(error: unknown, address: SourceAddress): string {
  if ('path' in address) return 'is the path that of the reading head?';
  return error instanceof BusFault && error.kind === 'closed'
    ? 'look up the port on the page of the reader'
    : 'is the reader switched on, and in the same network?';
}
