import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { VERSION } from '../../../../platform/kernel/version.ts';
import { CliCommandFault } from '../faults.ts';

export const DATABASE_FILE = 'helioport.db';
export const KEY_FILE = 'master.key';

/** What `pg_restore` reads. */
export const DUMP_FILE = 'helioport.dump';

/** The file that is written last: a folder without it is an incomplete backup. */
const MANIFEST_FILE = 'manifest.json';

/** Size and digest of a backup's file when it was written. */
interface FileRecord {
  readonly bytes: number;
  readonly sha256: string;
}

interface Manifest {
  readonly madeAt: string;
  readonly version: string;
  readonly files: Readonly<Record<string, FileRecord>>;
}

/** Records a backup's files, and flushes everything to disk so that it survives a power cut. */
export async function writeManifest(
  folder: string,
  names: readonly string[],
  madeAt: number,
): Promise<void> {
  const files: Record<string, FileRecord> = {};
  for (const name of names) {
    sync(join(folder, name));
    files[name] = await recordOf(join(folder, name));
  }
  const manifest: Manifest = { madeAt: new Date(madeAt).toISOString(), version: VERSION, files };
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, undefined, 2)}\n`, {
    flush: true,
  });
  sync(folder);
}

/**
 * Reads the manifest of a backup.
 * @throws CliCommandFault if the folder does not hold a complete backup
 */
export function readManifest(folder: string): Manifest {
  const file = join(folder, MANIFEST_FILE);
  if (!existsSync(file))
    throw new CliCommandFault(`${folder} is not a finished backup: it has no ${MANIFEST_FILE}`);
  try {
    const { madeAt, version, files } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (files[DATABASE_FILE] ?? files[DUMP_FILE]) return { madeAt, version, files };
  } catch {
    // Reported below.
  }
  throw new CliCommandFault(`the backup ${folder} is damaged: ${MANIFEST_FILE} cannot be read`);
}

/** Whether a copy of one of the backup's files is unchanged since it was written; false for files that the manifest does not name. */
export async function isAsWritten(
  { files }: Manifest,
  name: string,
  copy: string,
): Promise<boolean> {
  const { bytes, sha256 } = await recordOf(copy);
  return files[name]?.bytes === bytes && files[name].sha256 === sha256;
}

async function recordOf(file: string): Promise<FileRecord> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}

/** Flushes a file, or the entries of a folder, to the disk; to be called before anything is written that depends on them. */
export function sync(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** The name under which something is created until it is complete. */
export const unfinished = (path: string): string =>
  join(dirname(path), `${basename(path)}.unfinished`);
