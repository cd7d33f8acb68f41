import type { Clock, Pause } from '../../clock.ts';
import { dialTcp } from '../../bus/line.ts';
import { openSource } from '../../sources/open-source.ts';
import { deviceAddressText, type HostAddress } from '../../sources/source-address.ts';
import { SourceFault, type SourceDevice } from '../../sources/source.ts';

/** Kinds that are found by asking, with the port that they have; what tells nobody where it is has to be written down. */
const KINDS: readonly { readonly port: number; readonly kinds: readonly HostAddress['kind'][] }[] =
  [
    { port: 80, kinds: ['shelly', 'fronius'] },
    { port: 1883, kinds: ['victron'] },
  ];
const CONNECT_MS = 1_500;
const ANSWER_MS = 8_000;

/** Something that names its values itself, and was found. */
export interface FoundSource {
  readonly address: string;
  readonly devices: readonly SourceDevice[];
  /** Why it can not be read yet, and what to do; null if it can. */
  readonly problem: string | null;
}

/** Looks for sources at a host, one port and one connection after the other. */
export async function findSources(
  host: string,
  surroundings: { readonly clock: Clock; readonly pause: Pause },
): Promise<FoundSource[]> {
  const found: FoundSource[] = [];
  for (const { port, kinds } of KINDS) {
    if (!(await isOpen(host, port))) continue;
    for (const kind of kinds) {
      const one = await lookFor({ kind, host, port }, surroundings);
      if (!one) continue;
      found.push(one);
      break;
    }
  }
  return found;
}

async function isOpen(host: string, port: number): Promise<boolean> {
  try {
    const events = { onBytes() {}, onEnd() {} };
    const line = await dialTcp(host, port)(events, AbortSignal.timeout(CONNECT_MS));
    line.close();
    return true;
  } catch {
    return false;
  }
}

async function lookFor(
  address: HostAddress,
  surroundings: { readonly clock: Clock; readonly pause: Pause },
): Promise<FoundSource | undefined> {
  const source = await openSource(address, surroundings);
  const name = deviceAddressText(address);
  try {
    const { devices } = await source.read(AbortSignal.timeout(ANSWER_MS));
    return { address: name, devices, problem: null };
  } catch (error) {
    if (!(error instanceof SourceFault) || !error.isRecognized) return undefined;
    return { address: name, devices: [], problem: error.message };
  } finally {
    source.release();
  }
}
