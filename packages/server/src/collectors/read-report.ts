import { Failure } from '../kernel/failure.ts';
import type { Turns } from '../kernel/turns.ts';
import { partLimits, REPORT_BYTES, type PartName, type PartSink } from './parts.ts';
import { splitJson } from './split-json.ts';
import { splitLines } from './split-lines.ts';

/** A report as it arrives. */
export interface RawReport {
  /** One JSON document, or one reading per line. */
  readonly format: 'json' | 'lines';
  /** Decompressed, in chunks of any size. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Takes elements of a report, in order. */
export type TakePart = (part: PartName, elements: readonly unknown[]) => void | Promise<void>;

/** Number of bytes of a report that are read at once; most reports are smaller. */
const PIECE_BYTES = 16 * 1024;

/**
 * Reads a report chunk by chunk and passes its elements to `take`; it keeps nothing itself. If there are several chunks, each is processed in a
 * separate turn of the event loop, so that a large report delays others by no more than one chunk. Throws malformedRequest, tooLarge, and what `take`
 * throws.
 */
export async function readReport({ format, chunks }: RawReport, turns: Turns, take: TakePart): Promise<void> {
  const taken: [PartName, readonly unknown[]][] = [];
  const counts: Partial<Record<PartName, number>> = {};
  const sink: PartSink = {
    count(part, amount) {
      const sum = (counts[part] = (counts[part] ?? 0) + amount);
      if (sum > partLimits[part]) throw new Failure('tooLarge', { message: `a report may have at most ${partLimits[part]} ${part}` });
    },
    take: (part, elements) => void taken.push([part, elements]),
  };
  const splitter = format === 'json' ? splitJson(sink) : splitLines(sink);
  const handOn = async (): Promise<void> => {
    for (const [part, elements] of taken) await take(part, elements);
    taken.length = 0;
  };

  let bytes = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES);
      if (bytes > 0) await turns();
      bytes += piece.length;
      if (bytes > REPORT_BYTES) throw new Failure('tooLarge', { message: 'a report may have at most 8 MiB after decompression' });
      splitter.write(piece);
      await handOn();
    }
  }
  splitter.end();
  await handOn();
}
