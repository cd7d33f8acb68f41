import { Readable } from 'node:stream';
import { createDeflateRaw, crc32 } from 'node:zlib';
import type { Transact } from '../../platform/storage/transactions/transact.ts';
import type { ZipEntry } from './zip/format.ts';

/** A file of an export. Content that is empty makes no file. */
export interface ArchiveEntry {
  readonly name: string;
  /** Whether it is packed already. */
  readonly isPacked?: boolean;
  content(): AsyncIterable<string | Uint8Array>;
}

/** Where the chunks of a file go. */
export interface EntryPlace {
  readonly exportId: string;
  readonly entryNo: number;
  readonly transaction: Transact;
}

const CHUNK_BYTES = 262_144;
const [STORED, DEFLATED] = [0, 8];

/** Writes a file chunk by chunk, whatever of it an interrupted run has left; undefined if it is empty. No more than a few chunks are in memory. */
export async function writeEntry(
  { exportId, entryNo, transaction }: EntryPlace,
  { name, isPacked = false, content }: ArchiveEntry,
): Promise<ZipEntry | undefined> {
  await transaction((trx) =>
    trx
      .deleteFrom('exportChunk')
      .where('exportId', '=', exportId)
      .where('entryNo', '=', entryNo)
      .execute(),
  );
  let [crc, size, packedSize, no] = [0, 0, 0, 0];
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const part of content()) {
      const bytes =
        typeof part === 'string'
          ? Buffer.from(part)
          : Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      crc = crc32(bytes, crc);
      size += bytes.length;
      yield bytes;
    }
  }
  const source = Readable.from(counted(), { objectMode: false });
  const packed: AsyncIterable<Buffer> = isPacked ? source : deflated(source);
  let parts: Buffer[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    const chunk = { exportId, entryNo, no, content: Buffer.concat(parts) };
    await transaction((trx) => trx.insertInto('exportChunk').values(chunk).execute());
    [parts, length, packedSize, no] = [[], 0, packedSize + length, no + 1];
  };
  for await (const part of packed) {
    parts.push(part);
    length += part.length;
    if (length >= CHUNK_BYTES) await flush();
  }
  if (size === 0) return undefined;
  if (length > 0) await flush();
  return { name, method: isPacked ? STORED : DEFLATED, crc, size, packedSize };
}

/** Packs what it reads, and fails as its source does. */
function deflated(source: Readable): Readable {
  const deflate = createDeflateRaw();
  source.on('error', (error) => deflate.destroy(error));
  return source.pipe(deflate);
}
