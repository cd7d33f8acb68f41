import type { OutgoingEvent } from './sink.ts';

/** What an event is about, for receivers and brokers that do not read its body. */
export const attributesOf = ({
  id,
  sequence,
  kind,
  version,
  occurredAt,
  plantId,
  deviceSn,
}: OutgoingEvent): Record<string, string> => ({
  id,
  sequence: `${sequence}`,
  kind,
  version: `${version}`,
  occurredAt: `${occurredAt}`,
  plantId,
  ...(deviceSn !== null && { deviceSn }),
});
