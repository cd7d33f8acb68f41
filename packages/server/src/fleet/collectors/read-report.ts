import { Failure } from '../../platform/kernel/failure.ts';
import type { Turns } from '../../platform/kernel/turns.ts';
import {
  sectionLimits,
  REPORT_BYTES,
  type ReportSection,
  type SectionSink,
} from './report-sections.ts';
import { splitJson } from './split-json.ts';
import { splitLines } from './split-lines.ts';

/** A report as it arrives. */
export interface RawReport {
  /** One JSON document, or one reading per line. */
  readonly format: 'json' | 'lines';
  /** Decompressed, in chunks of any size. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether it was kept during an outage: it has lower priority than current reports, and turns no device online. */
  readonly isBacklog?: boolean;
}

/** The fields of a report other than its lists. */
export interface ReportHead {
  /** Chosen by the collector, for the acknowledgement. */
  readonly id?: string;
  /** Time of sending by the collector’s clock, epoch milliseconds. */
  readonly sentAt?: number | undefined;
}

/** Takes elements of a report, in order. */
export type TakePart = (part: ReportSection, elements: readonly unknown[]) => void | Promise<void>;

/** Number of bytes of a report that are read at once; most reports are smaller. */
const PIECE_BYTES = 16 * 1024;

/**
 * Reads a report chunk by chunk and passes its elements to `take`; it keeps nothing itself. If there are several chunks, each is processed in a
 * separate turn of the event loop, so that a large report delays others by no more than one chunk. Throws malformedRequest, tooLarge, and what `take`
 * throws.
 */
export async function readReport(
  { format, chunks }: RawReport,
  turns: Turns,
  take: TakePart,
): Promise<ReportHead> {
  const taken: [ReportSection, readonly unknown[]][] = [];
  const counts: Partial<Record<ReportSection, number>> = {};
  const head: { id?: string; sentAt?: number | undefined } = {};
  const sink: SectionSink = {
    count(part, amount) {
      const sum = (counts[part] = (counts[part] ?? 0) + amount);
      if (sum > sectionLimits[part])
        throw new Failure('tooLarge', {
          message: `a report may have at most ${sectionLimits[part]} ${part}`,
        });
    },
    take: (part, elements) => void taken.push([part, elements]),
    takeBeside(name, value) {
      if (name === 'id') head.id = reportId(value);
      else if (name === 'sentAt') head.sentAt = sentTime(value);
    },
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
      if (bytes > REPORT_BYTES)
        throw new Failure('tooLarge', {
          message: 'a report may have at most 8 MiB after decompression',
        });
      splitter.write(piece);
      await handOn();
    }
  }
  splitter.end();
  await handOn();
  return head;
}

const ID = /^[\x20-\x7e]{1,64}$/;

/** An id as a collector chose it. Throws malformedRequest. */
export function reportId(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new Failure('malformedRequest', {
    message: 'id must be text of 1 to 64 printable ASCII characters',
  });
}

// Any time is accepted, since the clock may be wrong by any amount. Anything else says nothing of the clock, and does not stand in the way of the readings.
function sentTime(value: unknown): number | undefined {
  const at = typeof value === 'number' ? Math.round(value) : undefined;
  return Number.isSafeInteger(at) ? at : undefined;
}
