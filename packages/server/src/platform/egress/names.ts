import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createBoundedQueue } from '../kernel/bounded-queue.ts';

/** All addresses of a name; none if it has none, or if too many others are being looked up. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** A name server that does not answer must not outlast an attempt. */
const LIMITS = { timeout: 3_000, tries: 2 };

/** Each asks for both kinds of addresses, on a socket of its own. Domains take turns, so that one whose name server is silent delays others by little. */
const ASKED = {
  runningAtMost: 32,
  waitingAtMost: 2_000,
  waitingOfOriginAtMost: 200,
  retryAfterSeconds: 5,
};

/** How long a look-up of the system may have to wait for another one, and may take. */
const SYSTEM_MS = 3_000;

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA']);

interface NamesOptions {
  /** Whether the operator's own networks may be reached: then the system knows names with dots that the DNS does not have. */
  readonly local: boolean;
  readonly dns?: Pick<Resolver, 'resolve4' | 'resolve6'>;
  readonly system?: ResolveName;
}

/**
 * Asks the DNS, and for names that it does not have the system, which knows those of the hosts file and of search domains. The system's look-ups occupy the
 * few threads that files and new connections to the database need too, whatever name server they wait for: so it is asked about one name at a time, and
 * never about a stranger's name that can only be in the DNS.
 */
export function createNames({
  local,
  dns = new Resolver(LIMITS),
  system = systemNames,
}: NamesOptions): ResolveName {
  let last: Promise<unknown> = Promise.resolve();
  const askSystem = async (name: string): Promise<readonly string[]> => {
    let isLate = false;
    const late = pause(SYSTEM_MS, [] as readonly string[], { ref: false }).then((none) => {
      isLate = true;
      return none;
    });
    const found = last.then(() => (isLate ? [] : system(name).catch(() => [])));
    last = found;
    return Promise.race([found, late]);
  };
  const asked = createBoundedQueue(ASKED);
  return async (name) => {
    const answers = await asked
      .run(() => Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]), {
        origin: domainOf(name),
      })
      .catch(() => []);
    if (answers.length === 0) return [];
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    const isMissing = answers.every(
      (answer) =>
        answer.status === 'rejected' &&
        NOT_THERE.has((answer.reason as NodeJS.ErrnoException).code ?? ''),
    );
    return isMissing && (local || !name.includes('.')) ? askSystem(name) : [];
  };
}

/** The last two labels of a name. */
const domainOf = (name: string): string => name.toLowerCase().split('.').slice(-2).join('.');

const systemNames: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);
