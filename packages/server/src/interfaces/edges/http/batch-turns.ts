import type { FastifyInstance } from 'fastify';
import { gatherTurn } from '../../../platform/kernel/gather.ts';

/**
 * Lets requests that were read in one turn of the event loop go on together. From there on, they take turns at each step that they have in common: their
 * statements are gathered, each step finds its code and data in the processor's caches, and their answers are written one after the other. Under load, a
 * request takes half of the CPU time then (docs/adr/0069); one that comes alone waits for nobody.
 */
export function batchTurns(server: FastifyInstance): void {
  const goOn = gatherTurn<() => void>((together) => {
    for (const done of together) done();
  });
  server.addHook('preHandler', (_request, _reply, done) => goOn(done));
}
