import type { Clock, Pause } from '../clock.ts';
import { addressText, busKey, type BusAddress } from './address.ts';
import { BusFault } from './faults.ts';
import type { CreateFraming } from './framing.ts';
import { dialTcp, type Dial } from './line.ts';
import { createMaster, type Master } from './master.ts';
import { createRtuFraming } from './rtu-framing.ts';
import { dialSerial } from './serial-line.ts';
import { createTcpFraming } from './tcp-framing.ts';
import { createV5Framing } from './v5-framing.ts';

export interface BusSurroundings {
  readonly clock: Clock;
  readonly pause: Pause;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Reaches sticks that have connected by themselves. */
  readonly dialStick?: (serial: number) => Dial;
  /** Other times to wait for answers, milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** An address at which something has been found, or is expected. */
export type KnownAddress = Exclude<BusAddress, { kind: 'any' }>;

/** Sticks pass each request on to a line of 9600 baud, and have other things to do. */
const STICK = { timeoutMs: 10_000, gapMs: 100 };
const GATEWAY = { timeoutMs: 3_000, gapMs: 30 };

/** The master of a bus; it connects when it is first used. `onSerial`: a stick has reported its serial number. */
export function openBus(
  address: KnownAddress,
  surroundings: BusSurroundings,
  onSerial?: (serial: number) => void,
): Master {
  const { clock, pause, timeoutMs } = surroundings;
  const speed = isStick(address) ? STICK : GATEWAY;
  return createMaster({
    ...speed,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...wiring(address, surroundings, onSerial),
    name: address.kind === 'serial' ? addressText(address) : busKey(address),
    clock,
    pause,
  });
}

/** Whether a stick passes the requests on. */
export const isStick = ({ kind }: BusAddress): boolean => kind === 'v5' || kind === 'push';

const nobodyListens = (serial: number) => (): never => {
  throw new BusFault(
    'unreachable',
    `stick ${serial} cannot report: set listen.solarman, such as 0.0.0.0:10000`,
  );
};

function wiring(
  address: KnownAddress,
  { clock, random, dialStick }: BusSurroundings,
  onSerial?: (serial: number) => void,
): { dial: Dial; createFraming: CreateFraming } {
  if (address.kind === 'serial')
    return { dial: dialSerial(address), createFraming: createRtuFraming };
  const dial =
    address.kind === 'push'
      ? (dialStick ?? nobodyListens)(address.serial)
      : dialTcp(address.host, address.port);
  if (address.kind === 'rtu') return { dial, createFraming: createRtuFraming };
  // A new connection counts on from anywhere, so that an answer to the old one is recognized by its number.
  const first = (atMost: number): number => Math.floor(random() * atMost);
  if (address.kind === 'tcp')
    return { dial, createFraming: () => createTcpFraming(first(0x1_0000)) };
  const { serial } = address;
  return {
    dial,
    createFraming: () =>
      createV5Framing({ serial, first: first(0x100), clock, ...(onSerial && { onSerial }) }),
  };
}
