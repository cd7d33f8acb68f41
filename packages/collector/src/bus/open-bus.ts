import type { Clock, Pause } from '../clock.ts';
import type { BusAddress } from './address.ts';
import { addressText, busKey } from './address.ts';
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
  /** Other times to wait for answers, milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** An address at which something has been found, or is expected. */
export type KnownAddress = Exclude<BusAddress, { kind: 'any' }>;

/** Sticks pass each request on to a line of 9600 baud, and have other things to do. */
const STICK = { timeoutMs: 10_000, gapMs: 100 };
const GATEWAY = { timeoutMs: 3_000, gapMs: 30 };

/** The master of a bus; it connects when it is first used. `onSerial`: a stick has told its serial number. */
export function openBus(
  address: KnownAddress,
  { clock, pause, random, timeoutMs }: BusSurroundings,
  onSerial?: (serial: number) => void,
): Master {
  const speed = address.kind === 'v5' ? STICK : GATEWAY;
  return createMaster({
    ...speed,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...wiring(address, clock, random, onSerial),
    name: address.kind === 'serial' ? addressText(address) : busKey(address),
    clock,
    pause,
  });
}

function wiring(
  address: KnownAddress,
  clock: Clock,
  random: () => number,
  onSerial?: (serial: number) => void,
): { dial: Dial; createFraming: CreateFraming } {
  if (address.kind === 'serial')
    return { dial: dialSerial(address), createFraming: createRtuFraming };
  const dial = dialTcp(address.host, address.port);
  if (address.kind === 'rtu') return { dial, createFraming: createRtuFraming };
  // A new connection counts on from anywhere, so that an answer to the old one is told by its number.
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
