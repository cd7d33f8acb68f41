// The ZIP format (APPNOTE.TXT of PKWARE, 4.3): local headers with known sizes, then the central directory; with the zip64 extensions where an
// archive has more than 4 GiB or 65,534 entries. Node has no writer of archives.

/** A file of an archive. */
export interface ZipEntry {
  /** Path with `/`; UTF-8. */
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  /** At most 4 GiB, packed and unpacked. */
  readonly size: number;
  readonly packedSize: number;
}

/** A file, and where its local header begins. */
export interface PlacedEntry extends ZipEntry {
  readonly offset: number;
}

const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const [VERSION_DEFLATE, VERSION_ZIP64] = [20, 45];
const LOCAL_LENGTH = 30;
const CENTRAL_LENGTH = 46;
const OFFSET_64_LENGTH = 12;
const END_LENGTH = 22;
const END_64_LENGTH = 56 + 20;

const nameOf = ({ name }: ZipEntry): Buffer => Buffer.from(name, 'utf8');
const isFar = ({ offset }: PlacedEntry): boolean => offset >= MAX_32;

/** A date and time of the MS-DOS calendar, in UTC. */
function dosTime(at: number): { date: number; time: number } {
  const when = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  return {
    date:
      ((when.getUTCFullYear() - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate(),
    time: (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1),
  };
}

/** What stands before the content of a file. */
export function localHeader(entry: ZipEntry, at: number): Buffer {
  const name = nameOf(entry);
  const header = Buffer.alloc(LOCAL_LENGTH);
  const { date, time } = dosTime(at);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION_DEFLATE, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(entry.method, 8);
  header.writeUInt16LE(time, 10);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(entry.crc, 14);
  header.writeUInt32LE(entry.packedSize, 18);
  header.writeUInt32LE(entry.size, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** How much of the archive a file takes, without its row in the directory. */
export const localLength = (entry: ZipEntry): number =>
  LOCAL_LENGTH + nameOf(entry).length + entry.packedSize;

/** The row of a file in the central directory. */
export function directoryRow(entry: PlacedEntry, at: number): Buffer {
  const name = nameOf(entry);
  const far = isFar(entry);
  const row = Buffer.alloc(CENTRAL_LENGTH);
  const { date, time } = dosTime(at);
  row.writeUInt32LE(0x02014b50, 0);
  row.writeUInt16LE(far ? VERSION_ZIP64 : VERSION_DEFLATE, 4);
  row.writeUInt16LE(far ? VERSION_ZIP64 : VERSION_DEFLATE, 6);
  row.writeUInt16LE(FLAGS, 8);
  row.writeUInt16LE(entry.method, 10);
  row.writeUInt16LE(time, 12);
  row.writeUInt16LE(date, 14);
  row.writeUInt32LE(entry.crc, 16);
  row.writeUInt32LE(entry.packedSize, 20);
  row.writeUInt32LE(entry.size, 24);
  row.writeUInt16LE(name.length, 28);
  row.writeUInt16LE(far ? OFFSET_64_LENGTH : 0, 30);
  row.writeUInt32LE(far ? MAX_32 : entry.offset, 42);
  if (!far) return Buffer.concat([row, name]);
  const extra = Buffer.alloc(OFFSET_64_LENGTH);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(OFFSET_64_LENGTH - 4, 2);
  extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  return Buffer.concat([row, name, extra]);
}

export const directoryRowLength = (entry: PlacedEntry): number =>
  CENTRAL_LENGTH + nameOf(entry).length + (isFar(entry) ? OFFSET_64_LENGTH : 0);

/** The central directory as a whole: where it begins, how long it is, and of how many files. */
export interface Directory {
  readonly offset: number;
  readonly length: number;
  readonly entries: number;
}

const needs64 = ({ offset, length, entries }: Directory): boolean =>
  entries >= MAX_16 || offset >= MAX_32 || length >= MAX_32;

/** What stands after the central directory. */
export function archiveEnd(directory: Directory): Buffer {
  const { offset, length, entries } = directory;
  const end = Buffer.alloc(END_LENGTH);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, MAX_16), 8);
  end.writeUInt16LE(Math.min(entries, MAX_16), 10);
  end.writeUInt32LE(Math.min(length, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (!needs64(directory)) return end;
  const end64 = Buffer.alloc(END_64_LENGTH);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(VERSION_ZIP64, 12);
  end64.writeUInt16LE(VERSION_ZIP64, 14);
  end64.writeBigUInt64LE(BigInt(entries), 24);
  end64.writeBigUInt64LE(BigInt(entries), 32);
  end64.writeBigUInt64LE(BigInt(length), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  end64.writeUInt32LE(0x07064b50, 56);
  end64.writeBigUInt64LE(BigInt(offset + length), 64);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}

export const archiveEndLength = (directory: Directory): number =>
  END_LENGTH + (needs64(directory) ? END_64_LENGTH : 0);
