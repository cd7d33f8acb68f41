import { randomUUID } from 'node:crypto';

/** The name of an attempt, and what is to be called when nothing is left of it. */
export interface AttemptId {
  readonly id: string;
  end(): void;
}

/**
 * Names of attempts: WRITER/NUMBER, each of them once. A writer is free for the next attempt when nothing is left of the last one, so that a writer that keeps
 * marks by writers keeps few of them. One whose attempt failed is never free again, since its marks stay until somebody recalculates what they show.
 */
export function createAttemptIds(): { next(): AttemptId } {
  const free: { readonly name: string; attempts: number }[] = [];
  return {
    next() {
      const writer = free.pop() ?? { name: randomUUID(), attempts: 0 };
      writer.attempts += 1;
      return { id: `${writer.name}/${writer.attempts}`, end: () => void free.push(writer) };
    },
  };
}

/** Those of this process. */
export const attemptIds = createAttemptIds();
