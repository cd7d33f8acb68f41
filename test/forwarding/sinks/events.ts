import type { OutgoingEvent } from '../../../packages/server/src/outbound/sinks/sink.ts';

let last = 0;

/** Events of their own id, in turn of each device. */
export function makeEvents(
  count: number,
  devices: readonly (string | null)[] = ['SN-1'],
): OutgoingEvent[] {
  return Array.from({ length: count }, (_, i) =>
    makeEvent({
      sequence: Math.floor(i / devices.length) + 1,
      deviceSn: devices[i % devices.length]!,
    }),
  );
}

export function makeEvent(given: Partial<OutgoingEvent> = {}): OutgoingEvent {
  const event = {
    id: `${7_000_000_000_000_000_000n + BigInt(++last)}`,
    sequence: 1,
    kind: 'telemetry.sample',
    version: 1,
    occurredAt: 1_780_000_000_000,
    plantId: '1000000000000000001',
    deviceSn: 'SN-1',
    ...given,
  };
  return {
    ...event,
    body:
      given.body ??
      JSON.stringify({
        ...event,
        recordedAt: event.occurredAt + event.sequence,
        data: { acPowerW: 1234.5, note: 'Süd – 北' },
      }),
  };
}
