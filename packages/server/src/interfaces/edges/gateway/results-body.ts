import type { RawReport } from '../../../fleet/collectors/read-report.ts';
import { RESULTS_BYTES, resultsOf } from '../../../control/commands/results.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { parseJsonObject } from '../http/json.ts';

/** The elements of `{"results":[...]}`. Throws malformedRequest, tooLarge, unsupportedMediaType. */
export async function readResults(
  chunks: RawReport['chunks'],
  format: RawReport['format'],
): Promise<readonly unknown[]> {
  if (format !== 'json')
    throw new Failure('unsupportedMediaType', { message: 'Content-Type must be application/json' });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of chunks) {
    bytes += piece.length;
    if (bytes > RESULTS_BYTES)
      throw new Failure('tooLarge', {
        message: 'results may have at most 128 KiB after decompression',
      });
    pieces.push(piece);
  }
  return resultsOf(parseJsonObject(Buffer.concat(pieces)));
}
