/** Those who wait for a wake-up, by topic. */
export interface Sleepers {
  add(topic: string, wake: () => void): () => void;
  wake(topic: string): void;
  wakeAll(): void;
}

export function createSleepers(): Sleepers {
  const sleepers = new Set<{ topic: string; wake: () => void }>();
  return {
    add(topic, wake) {
      const sleeper = { topic, wake };
      sleepers.add(sleeper);
      return () => void sleepers.delete(sleeper);
    },
    wake(topic) {
      for (const sleeper of sleepers) if (sleeper.topic === topic) sleeper.wake();
    },
    wakeAll() {
      for (const { wake } of sleepers) wake();
    },
  };
}
