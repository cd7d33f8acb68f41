/** Who goes first when several wait: instructions before polls. */
export type Precedence = 'instruction' | 'poll';

/** Lets one user at a time at something. */
export interface Lock {
  hold<T>(use: () => Promise<T>, precedence: Precedence): Promise<T>;
}

export function createLock(): Lock {
  const waiting: Record<Precedence, (() => void)[]> = { instruction: [], poll: [] };
  let isHeld = false;
  const next = (): void => {
    const go = waiting.instruction.shift() ?? waiting.poll.shift();
    if (go) go();
    else isHeld = false;
  };
  return {
    async hold(use, precedence) {
      if (isHeld) await new Promise<void>((go) => waiting[precedence].push(go));
      isHeld = true;
      try {
        return await use();
      } finally {
        next();
      }
    },
  };
}
