import type { FastifyInstance } from 'fastify';

/**
 * Lets requests that were read in one turn of the event loop go on together. From there on, they take turns at each step that they have in common: their
 * statements are gathered, each step finds its code and data in the processor's caches, and their answers are written one after the other. Under load, a
 * request takes half of the CPU time then (docs/adr/0069); one that comes alone waits for nobody.
 */
export function goOnTogether(server: FastifyInstance): void {
  let waiting: (() => void)[] = [];
  server.addHook('preHandler', (_request, _reply, done) => {
    if (waiting.push(done) > 1) return;
    setImmediate(() => {
      const together = waiting;
      waiting = [];
      for (const goOn of together) goOn();
    });
  });
}
