import { JSON_MEDIA } from '@helioport/contract';
import { finished, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { RawReport } from '../../../fleet/collectors/read-report.ts';
import { Failure } from '../../../platform/kernel/failure.ts';

const LINES_MEDIA =
  /^application\/(?:x-ndjson|ndjson|jsonl)[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")[ \t]*)?)*$/i;

const FORMATS: readonly [RegExp, RawReport['format']][] = [
  [JSON_MEDIA, 'json'],
  [LINES_MEDIA, 'lines'],
];

/** The format of a media type. Throws unsupportedMediaType. */
export function formatOf(contentType: string | undefined): RawReport['format'] {
  const [, format] = FORMATS.find(([pattern]) => pattern.test(contentType ?? '')) ?? [];
  if (!format)
    throw new Failure('unsupportedMediaType', {
      message: 'Content-Type must be application/json or application/x-ndjson',
    });
  return format;
}

const CHUNK_BYTES = 64 * 1024;

/** Whether a body is compressed. Throws unsupportedMediaType. */
export function isCompressed(encoding: string | undefined): boolean {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return false;
  if (name !== 'gzip' && name !== 'x-gzip')
    throw new Failure('unsupportedMediaType', { message: 'the only Content-Encoding is gzip' });
  return true;
}

/**
 * The bytes of a body as they arrive, decompressed only as far as they are read. If reading stops, the rest of the body is
 * received and dropped, so that the sender gets an answer. Throws malformedRequest.
 */
export async function* bytesOf(body: Readable, compressed: boolean): AsyncGenerator<Uint8Array> {
  const source: Readable = compressed ? inflating(body) : body;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }))
      yield chunk as Uint8Array;
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('malformedRequest', {
      message: compressed
        ? 'the body is not readable gzip: it is damaged or cut off'
        : 'the body is cut off',
      cause,
    });
  } finally {
    if (compressed) {
      body.unpipe();
      source.destroy();
    }
    body.resume();
  }
}

function inflating(body: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // A pipe does not end its destination when the peer goes away.
  finished(body, (error) => {
    if (error) gunzip.destroy(error);
  });
  return body.pipe(gunzip);
}
