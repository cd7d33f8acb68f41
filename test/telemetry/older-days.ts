import type { DayState } from '../../packages/server/src/measurements/energy/day-state.ts';
import { createPackedWriter } from '../../packages/server/src/measurements/energy/codec/packed-bytes.ts';

/**
 * A closed day of a device that measures production by power alone, as earlier releases stored it: version 1 knew no money, version 2
 * nothing of what later days find out, version 3 no packed values. `shareWms`: what the next day's first reading had added.
 */
export function olderDay(
  version: 1 | 2 | 3,
  { last, samples, firstAt, peakPowerW, peakPowerAt, channels }: DayState,
  shareWms = 0,
): Buffer {
  const writer = createPackedWriter();
  const { seen, lastAt, lastW, areaWms } = channels[0]!.power!;
  writer.byte(version);
  writer.whole(last.fields.id);
  for (const value of last.values) writer.real(value);
  const peaked = !Number.isNaN(peakPowerW);
  writer.byte(peaked ? 1 : 0);
  writer.whole(samples);
  writer.whole(last.at - firstAt);
  if (peaked) {
    writer.real(peakPowerW);
    writer.whole(last.at - peakPowerAt);
  }
  // Of the channels production, and of that power, which flows.
  writer.whole(1);
  writer.byte(4);
  writer.byte((seen ? 1 : 0) | 2);
  writer.whole(last.at - lastAt);
  writer.real(lastW);
  writer.real(areaWms + shareWms);
  if (version > 1) writer.whole(0);
  if (version > 2) writer.whole(0);
  return writer.take();
}
