/** A signal to wait for, with a time limit. If it rings while nobody waits, the next wait ends at once. */
export interface Bell {
  ring(): void;
  wait(atMostMs: number): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake = (): void => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async wait(atMostMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, atMostMs);
      if (!rung) await promise;
      clearTimeout(timer);
      rung = false;
    },
  };
}
