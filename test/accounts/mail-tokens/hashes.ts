import { createHook } from 'node:async_hooks';

/** How many passwords were hashed while something was done. Verifications, which have a thread of their own, do not count. */
export async function hashesIn(work: () => Promise<void>): Promise<number> {
  let hashes = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'ARGON2REQUEST') hashes++;
    },
  }).enable();
  await work().finally(() => hook.disable());
  return hashes;
}
