import type { Db } from '../../platform/storage/database.ts';
import type { AccountExport } from './rows.ts';
import {
  archiveEnd,
  archiveEndLength,
  directoryRow,
  directoryRowLength,
  localHeader,
  localLength,
  type Directory,
  type PlacedEntry,
} from './zip/format.ts';

/** An export as a ZIP archive. */
export interface Archive {
  readonly fileName: string;
  readonly bytes: number;
  /** Its content, read from the database as it is needed. */
  content(): AsyncGenerator<Uint8Array>;
}

/** The archive of an export that is ready. */
export async function openArchive(
  db: Db,
  { id, readyAt, createdAt }: AccountExport,
): Promise<Archive> {
  const at = readyAt!;
  const entries: PlacedEntry[] = [];
  let offset = 0;
  for (const entry of await db
    .selectFrom('exportEntry')
    .selectAll()
    .where('exportId', '=', id)
    .orderBy('no')
    .execute()) {
    entries.push({ ...entry, offset });
    offset += localLength(entry);
  }
  const directory: Directory = {
    offset,
    length: entries.reduce((sum, entry) => sum + directoryRowLength(entry), 0),
    entries: entries.length,
  };
  return {
    fileName: `helioport-${new Date(createdAt).toISOString().slice(0, 10)}.zip`,
    bytes: offset + directory.length + archiveEndLength(directory),
    async *content() {
      for (const [no, entry] of entries.entries()) {
        yield localHeader(entry, at);
        yield* contentOf(db, id, no);
      }
      for (const entry of entries) yield directoryRow(entry, at);
      yield archiveEnd(directory);
    },
  };
}

async function* contentOf(db: Db, exportId: string, entryNo: number): AsyncGenerator<Uint8Array> {
  for (let no = 0; ; no++) {
    const chunk = await db
      .selectFrom('exportChunk')
      .select('content')
      .where('exportId', '=', exportId)
      .where('entryNo', '=', entryNo)
      .where('no', '=', no)
      .executeTakeFirst();
    if (!chunk) return;
    yield chunk.content;
  }
}
