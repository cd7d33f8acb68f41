/**
 * Wakes who waits for something in the database, in all processes. It may wake for nothing, and a wake-up may be lost while the
 * database is away: who waits looks by itself now and then as well.
 */
export interface WakeUps {
  /** Has `wake` called within a tenth of a second of the commit of a transaction that called `wakeUp` for the topic. Returns what ends it. */
  on(topic: string, wake: () => void): () => void;
  close(): Promise<void>;
}
