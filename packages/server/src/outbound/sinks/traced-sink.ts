import type { Clock } from '../../platform/kernel/clock.ts';
import type { Traces } from '../../platform/kernel/traces/tracing.ts';
import type { OpenDestination, Sink } from './sink.ts';

/** A sink whose attempts are traced. */
export const tracedSink = (
  sink: Sink,
  { id: destinationId, transport }: Pick<OpenDestination, 'id' | 'transport'>,
  traces: Pick<Traces, 'delivery'>,
  clock: Clock,
): Sink => ({
  ...sink,
  async send(events, signal) {
    const begunAt = clock.now();
    const outcome = await sink.send(events, signal);
    traces.delivery({
      destinationId,
      transport,
      events: events.length,
      seconds: (clock.now() - begunAt) / 1000,
      fault: outcome.kind === 'delivered' ? undefined : outcome.reason,
    });
    return outcome;
  },
});
