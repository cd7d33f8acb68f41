import type { TestResult } from '@helioport/contract';
import type { OpenDestination, SinkDeps } from '../../sinks/sink.ts';

/** Sends a made-up event to a destination, and resolves to what became of it. */
export async function testDestination(
  destination: OpenDestination,
  deps: SinkDeps,
): Promise<TestResult> {
  const at = deps.clock.now();
  const began = performance.now();
  const id = `${at}-test`;
  const head = { id, kind: 'test', version: 1, sequence: 0, occurredAt: at };
  const body = JSON.stringify({
    ...head,
    recordedAt: at,
    plantId: null,
    deviceSn: null,
    data: { message: 'a test of this destination' },
  });
  // Loaded only here, with what the transports need, so that every other command starts fast.
  const { openSink } = await import('../../sinks/open.ts');
  const sink = await openSink(destination, deps);
  try {
    // Sinks end an attempt by themselves.
    const outcome = await sink.send(
      [{ ...head, plantId: '-', deviceSn: null, body }],
      new AbortController().signal,
    );
    const tookMs = Math.round(performance.now() - began);
    if (outcome.kind === 'delivered')
      return { delivered: true, reason: null, excerpt: null, tookMs };
    return {
      delivered: false,
      reason: outcome.reason,
      excerpt: outcome.kind === 'failed' ? (outcome.excerpt ?? null) : null,
      tookMs,
    };
  } finally {
    await sink.close();
  }
}
