import { NotIdentified } from '@helioport/devices';
import { addressText, STICK_PORT } from '../../bus/address.ts';
import { BusFault } from '../../bus/faults.ts';
import type { KnownAddress } from '../../bus/open-bus.ts';
import type { Clock, Pause } from '../../clock.ts';
import { createBusPool } from '../device/bus-pool.ts';
import {
  PORTS,
  reachKnown,
  SETTLE_MS,
  UNITS,
  waysTo,
  type ReachedDevice,
} from '../device/reach.ts';
import { openHelloSocket, type HelloSocket } from './hello.ts';
import { hostsOf } from './network.ts';

/** A device that was found, or a port at which something is. */
export interface Finding {
  /** As it is written in collect.yaml. */
  readonly address: string;
  readonly unit: number | null;
  readonly maker: string | null;
  readonly model: string | null;
  readonly sn: string | null;
  readonly ratedPowerW: number | null;
  /** Why it can not be used, and what to do; null if it can. */
  readonly problem: string | null;
}

export interface DiscoverOptions {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly random: () => number;
  readonly onFinding?: (finding: Finding) => void;
}

/** Hosts begun in a second. */
const HOSTS_A_SECOND = 10;
/** Quicker than when polling: most hosts are no devices. */
const TIMEOUT_MS = 1_500;
const STICK_TIMEOUT_MS = 5_000;

/** Looks for devices in a network, one connection to a host at a time. Throws NetworkFault. */
export async function discover(network: string, options: DiscoverOptions): Promise<Finding[]> {
  const { hosts, broadcast } = hostsOf(network);
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const hello = await openHelloSocket();
  const add = (finding: Finding): void => {
    // A device that listens at all addresses of a machine is one.
    const name = finding.sn === null ? finding.address : `${finding.sn} ${finding.unit}`;
    if (seen.has(name)) return;
    seen.add(name);
    findings.push(finding);
    options.onFinding?.(finding);
  };
  try {
    if (hosts.length > 1) hello.ask(broadcast);
    const looks: Promise<void>[] = [];
    for (const host of hosts) {
      hello.ask(host);
      looks.push(lookAt(host, hello, options, add));
      await options.pause(1_000 / HOSTS_A_SECOND);
    }
    await Promise.all(looks);
  } finally {
    hello.close();
  }
  return findings;
}

/** Looks at one port after the other, closing each connection before the next. */
async function lookAt(
  host: string,
  hello: HelloSocket,
  { clock, pause, random }: DiscoverOptions,
  add: (finding: Finding) => void,
): Promise<void> {
  let isStick = false;
  let isFound = false;
  for (const port of PORTS) {
    const serial = hello.found.get(host)?.serial ?? 0;
    const ways = waysTo(host, port, serial);
    let problem: Error | undefined;
    for (const way of ways) {
      const timeoutMs = way.kind === 'v5' ? STICK_TIMEOUT_MS : TIMEOUT_MS;
      const pool = createBusPool({ clock, pause, random, timeoutMs });
      const options = { pool, pause, askSerial: async () => serial };
      try {
        const units = UNITS[port] ?? [];
        const first = await reachKnown(way, undefined, options);
        add(findingOf(first));
        isFound = true;
        isStick ||= way.kind === 'v5';
        for (const unit of units.slice(units.indexOf(first.unit) + 1)) {
          const next = await reachKnown(way, unit, options).catch(() => undefined);
          if (!next || next.identity.sn === first.identity.sn) break;
          add(findingOf(next));
        }
        problem = undefined;
        break;
      } catch (error) {
        const { cause } = error as Error;
        const kind = cause instanceof BusFault ? cause.kind : undefined;
        // Nothing is there: no port, or no host.
        if (kind === 'unreachable') return;
        if (kind === 'closed') break;
        problem = error as Error;
        if (cause instanceof NotIdentified) break;
      } finally {
        pool.close();
        await pause(SETTLE_MS);
      }
    }
    if (problem) add(problemOf(ways[0]!, problem));
  }
  if (!isFound) await lookForSources(host, { clock, pause }, add);
  const answered = hello.found.get(host);
  if (answered && !isStick)
    add({
      ...NOTHING,
      address: addressText({ kind: 'push', serial: answered.serial }),
      problem: `${host}: a stick answers, but not on port ${STICK_PORT}; let it report to this machine (listen.solarman)`,
    });
}

/** What has no registers is looked for where nothing else was found. */
async function lookForSources(
  host: string,
  surroundings: { readonly clock: Clock; readonly pause: Pause },
  add: (finding: Finding) => void,
): Promise<void> {
  const { findSources } = await import('./discover-sources.ts');
  for (const { address, devices, problem } of await findSources(host, surroundings)) {
    for (const { sn, model, ratedPowerW = null } of devices)
      add({ ...NOTHING, address, sn, model, ratedPowerW, problem: null });
    if (problem !== null) add({ ...NOTHING, address, problem });
  }
}

const NOTHING = { unit: null, maker: null, model: null, sn: null, ratedPowerW: null };

function findingOf({ address, unit, identity }: ReachedDevice): Finding {
  const { maker, model, sn, ratedPowerW } = identity;
  return { address: addressText(address), unit, maker, model, sn, ratedPowerW, problem: null };
}

const problemOf = (address: KnownAddress, { message }: Error): Finding => ({
  ...NOTHING,
  address: addressText(address),
  problem: message,
});
