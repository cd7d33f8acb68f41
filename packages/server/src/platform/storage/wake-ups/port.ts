/**
 * Wakes those who wait for something in the database, in all processes. Wake-ups may be needless, and may be lost while the
 * database is unavailable, so those who wait must also check from time to time.
 */
export interface WakeUps {
  /**
   * Calls `wake` within a tenth of a second after the commit of a transaction
   * that called `wakeUp` for the topic. Returns a function that ends these calls.
   */
  on(topic: string, wake: () => void): () => void;
  close(): Promise<void>;
}
