import { identify, NotIdentified, registerProfiles, type Identity } from '@helioport/devices';
import { addressText, STICK_PORT, type BusAddress } from '../../bus/address.ts';
import { BusFault } from '../../bus/faults.ts';
import type { Master } from '../../bus/master.ts';
import { isStick, type KnownAddress } from '../../bus/open-bus.ts';
import type { Pause } from '../../clock.ts';
import type { BusPool } from './bus-pool.ts';
import { wordReader } from './registers.ts';

/** A device that has answered, and what it is. */
export interface ReachedDevice {
  /** With the serial number that a stick has reported. */
  readonly address: KnownAddress;
  readonly unit: number;
  readonly bus: Master;
  readonly identity: Identity;
  /** Serial number of the stick in between; 0 if there is none. */
  readonly stick: number;
}

/** Why a device could not be reached or recognized; the message names cause and remedy. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

export interface ReachOptions {
  readonly pool: BusPool;
  /** Asks a stick for its serial number by other means; 0 if it does not tell. */
  readonly askSerial: (host: string) => Promise<number>;
  readonly pause: Pause;
}

/** Ports where a device may be that nothing is known of, in this order. */
export const PORTS = [502, 1502, STICK_PORT] as const;

/** How a port may be spoken to, best first. On that of sticks, most speak V5, some Modbus TCP, and some pass Modbus RTU on. */
export function waysTo(host: string, port: number, serial: number): readonly KnownAddress[] {
  const tcp = { kind: 'tcp', host, port } as const;
  return port === STICK_PORT
    ? [{ kind: 'v5', host, port, serial }, tcp, { kind: 'rtu', host, port }]
    : [tcp];
}

/** Numbers under which devices answer, by port: SMA 126, Kostal 71, Fronius 1, meters 2 and up, some gateways 247. */
export const UNITS: Readonly<Record<number, readonly number[]>> = {
  502: [1, 126, 2, 3, 247],
  1502: [1, 71],
};

/** Time for a host to notice that a connection has ended, before it gets another one. */
export const SETTLE_MS = 100;

/** Finds out how a device is reached, and what it is. Rejects with NotReached. */
export async function reach(
  address: BusAddress,
  unit: number | undefined,
  options: ReachOptions,
): Promise<ReachedDevice> {
  if (address.kind !== 'any') return reachKnown(address, unit, options);
  const { host } = address;
  const faults: unknown[] = [];
  for (const port of PORTS) {
    const serial = port === STICK_PORT ? await options.askSerial(host) : 0;
    for (const way of waysTo(host, port, serial)) {
      try {
        return await reachKnown(way, unit, options);
      } catch (error) {
        const { cause } = error as NotReached;
        // What answers is not looked for elsewhere.
        if (cause instanceof NotIdentified) throw error;
        faults.push(cause);
        if (cause instanceof BusFault && cause.kind === 'closed') break;
        if (cause instanceof BusFault && cause.kind === 'unreachable') throw error;
      }
    }
  }
  const areClosed = faults.every((fault) => fault instanceof BusFault && fault.kind === 'closed');
  throw new NotReached(
    areClosed
      ? `${host}: the ports ${PORTS.join(', ')} are closed; switch on Modbus TCP at the device, update the stick, or ` +
          'connect an RS485 gateway and write its address as rtu://HOST:PORT'
      : `${host}: a port is open, but nobody answers in Modbus TCP or V5; another program may hold its only connection`,
    { cause: faults.at(-1) },
  );
}

export async function reachKnown(
  address: KnownAddress,
  unit: number | undefined,
  { pool, askSerial, pause }: ReachOptions,
): Promise<ReachedDevice> {
  let way = address;
  if (way.kind === 'v5' && way.serial === 0) way = { ...way, serial: await askSerial(way.host) };
  let stick = way.kind === 'v5' || way.kind === 'push' ? way.serial : 0;
  let shownSerial = 0;
  const bus = pool.get(way, (serial) => {
    shownSerial = serial;
    if (stick === 0) stick = serial;
  });
  const usual = 'port' in way ? (UNITS[way.port] ?? [1]) : [1];
  let fault: unknown;
  for (const number of unit === undefined ? usual : [unit]) {
    try {
      const identity = await identify(wordReader(bus, number), registerProfiles());
      const found = way.kind === 'v5' ? { ...way, serial: stick } : way;
      return { address: found, unit: number, bus, identity, stick };
    } catch (error) {
      fault = error;
      if (error instanceof NotIdentified || (error instanceof BusFault && error.kind !== 'silent'))
        break;
    }
  }
  const heard = { serial: shownSerial, strays: bus.counters.strays };
  pool.drop(way);
  await pause(SETTLE_MS);
  throw new NotReached(sentenceOf(way, unit ?? usual, fault, heard), { cause: fault });
}

function sentenceOf(
  address: KnownAddress,
  units: number | readonly number[],
  fault: unknown,
  heard: { readonly serial: number; readonly strays: number },
): string {
  const name = addressText(address);
  if (fault instanceof NotIdentified)
    return `${name}: ${fault.message}; run probe and capture, and send the capture to us`;
  if (!(fault instanceof BusFault)) return `${name}: ${(fault as Error).message}`;
  const remedies: Record<typeof fault.kind, string> = {
    closed: isStick(address)
      ? 'newer firmware of sticks closes this port; let the stick report to this machine instead (listen.solarman)'
      : 'switch on Modbus TCP at the device, or write the port that it uses',
    unreachable: 'is it switched on, and in the same network?',
    ended:
      'a device has few connections: end the other program that uses it, or set share: true here and there',
    silent:
      address.kind === 'v5'
        ? silentStick(address, heard)
        : `nobody answers as unit ${[units].flat().join(', ')}: look up its number at the device and write it as unit: NUMBER`,
    stray:
      'is the protocol right? Write rtu://HOST:PORT for a gateway that passes Modbus RTU on, tcp://HOST:PORT for Modbus TCP',
    stopped: 'the collector was stopped',
  };
  return `${fault.message}; ${remedies[fault.kind]}`;
}

/** Why a stick says nothing that can be used. */
function silentStick(
  { host, port, serial }: Extract<KnownAddress, { kind: 'v5' }>,
  heard: { readonly serial: number; readonly strays: number },
): string {
  const other = `tcp://${host}:${port} or rtu://${host}:${port}`;
  if (heard.serial > 0 && heard.serial !== serial)
    return `the stick says that its serial number is ${heard.serial}: write it as v5://${host}:${port}?serial=${heard.serial}`;
  if (heard.strays > 0)
    return `what comes back is not V5: an older stick is v4://${host}:${port}?serial=${serial > 0 ? serial : 'NUMBER'}, one that answers in text can only report to this machine (listen.solarman), and one that speaks Modbus is ${other}`;
  if (serial === 0)
    return 'the stick does not tell its serial number: write it as v5://HOST:8899?serial=NUMBER, as on its label';
  return `is ${serial} the serial number on the stick's label? The inverter may also be dark, or the stick speaks Modbus: write ${other}`;
}
