import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** How the text of a file is encoded. */
export type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** A file of text, which can be read several times. */
export interface TextFile {
  readonly bytes: number;
  readonly encoding: CsvEncoding;
  /** Its beginning, and whether that is all of it. */
  readonly head: { readonly text: string; readonly isWhole: boolean };
  read(): TextReading;
}

/** One reading of a file. `bytesRead` grows meanwhile. */
export interface TextReading {
  bytesRead(): number;
  readonly chunks: AsyncIterable<string>;
}

/** Thrown for a file that contains no text, explained in one sentence. */
export class NoText extends Error {
  override readonly name = 'NoText';
}

const HEAD_BYTES = 64 * 1024;

const CONTAINERS: readonly (readonly [bytes: readonly number[], remedy: string])[] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'is a workbook of a spreadsheet program or a ZIP archive: save the sheet as CSV, or extract the archive',
  ],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a workbook of a spreadsheet program: save the sheet as CSV'],
  [[0x1f, 0x8b], 'is compressed: extract it with gunzip'],
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF document: export the measurements as CSV'],
];

/** A device, a pipe or a socket. */
class NotAFile extends Error {
  readonly code = 'ENOTFILE';
}

/** Opens a file of text in any of the encodings that spreadsheets write. Throws NoText and what opening files throws. */
export async function openText(file: string): Promise<TextFile> {
  const about = await stat(file);
  // Devices and pipes have no end, or no beginning to come back to; opening a pipe waits for the writer.
  if (!about.isFile() && !about.isDirectory()) throw new NotAFile('it is not a regular file');
  const handle = await open(file);
  const buffer = Buffer.alloc(HEAD_BYTES);
  const bytes = about.size;
  let begun: Buffer;
  try {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(HEAD_BYTES, bytes), 0);
    begun = buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
  for (const [magic, remedy] of CONTAINERS)
    if (magic.every((byte, i) => begun[i] === byte)) throw new NoText(remedy);
  const encoding = markedEncoding(begun) ?? (await unmarkedEncoding(file));
  const text = new TextDecoder(encoding).decode(begun, { stream: true });
  return {
    bytes,
    encoding,
    head: { text, isWhole: begun.length === bytes },
    read() {
      // Files of the kernel have no size, and some of them never end.
      if (bytes === 0) return { bytesRead: () => 0, chunks: Readable.from([]) };
      const source = createReadStream(file);
      return { bytesRead: () => source.bytesRead, chunks: decoded(source, encoding) };
    },
  };
}

/** The encoding that a byte order mark shows, or the zero bytes of Latin letters in 16 bits. */
function markedEncoding(head: Buffer): CsvEncoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (let i = 0; i < head.length; i++) if (head[i] === 0) zeros[i % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (Math.max(even, odd) * 4 < head.length) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** UTF-8 if all of the file is; otherwise what Windows writes in the west, where each byte is a character. */
async function unmarkedEncoding(file: string): Promise<CsvEncoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(file))
      decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return 'windows-1252';
  }
}

async function* decoded(
  source: AsyncIterable<Buffer>,
  encoding: CsvEncoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
