import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name; none if it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** A name server that does not answer must not outlast an attempt. */
const LIMITS = { timeout: 3_000, tries: 2 };

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the DNS, and for names that it does not have the system, which knows those of the hosts file and of search domains. */
export function createNames(): ResolveName {
  const resolver = new Resolver(LIMITS);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    // The system's look-ups occupy the few threads that files and hashes need too: a stranger's name server may not hold them.
    const isMissing = answers.every(
      (answer) =>
        answer.status === 'rejected' &&
        NOT_THERE.has((answer.reason as NodeJS.ErrnoException).code ?? ''),
    );
    if (!isMissing) return [];
    return (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => address);
  };
}
