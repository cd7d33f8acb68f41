import { createHash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, fsyncSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { VERSION } from '../../kernel/version.ts';
import { CommandFault } from './faults.ts';

export const DATABASE_FILE = 'helioport.db';
export const KEY_FILE = 'master.key';

/** Written last: what lacks it was broken off. */
const MANIFEST_FILE = 'manifest.json';

/** What a file of a backup was when it was written. */
interface FileRecord {
  readonly bytes: number;
  readonly sha256: string;
}

interface Manifest {
  readonly madeAt: string;
  readonly version: string;
  readonly files: Readonly<Record<string, FileRecord>>;
}

/** Writes down what a backup's files are, and makes it last through a power cut. */
export async function writeManifest(folder: string, names: readonly string[], madeAt: number): Promise<void> {
  const files: Record<string, FileRecord> = {};
  for (const name of names) {
    sync(join(folder, name));
    files[name] = await recordOf(join(folder, name));
  }
  const manifest: Manifest = { madeAt: new Date(madeAt).toISOString(), version: VERSION, files };
  writeFileSync(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, undefined, 2)}\n`, { flush: true });
  sync(folder);
}

/** @throws CommandFault when the folder holds no backup that came to its end */
export function readManifest(folder: string): Manifest {
  const file = join(folder, MANIFEST_FILE);
  if (!existsSync(file)) throw new CommandFault(`${folder} is not a finished backup: it has no ${MANIFEST_FILE}`);
  try {
    const { madeAt, version, files } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (files[DATABASE_FILE]) return { madeAt, version, files };
  } catch {
    // Said below.
  }
  throw new CommandFault(`the backup ${folder} is damaged: ${MANIFEST_FILE} cannot be read`);
}

/** Whether a copy of one of the backup's files is what was written then; files that it does not name are none of it. */
export async function isAsWritten({ files }: Manifest, name: string, copy: string): Promise<boolean> {
  const { bytes, sha256 } = await recordOf(copy);
  return files[name]?.bytes === bytes && files[name].sha256 === sha256;
}

async function recordOf(file: string): Promise<FileRecord> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}

/** Has a file or a folder's names on the disk before anything that builds on them. */
export function sync(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Where something is made that others must not take for finished. */
export const unfinished = (path: string): string => join(dirname(path), `${basename(path)}.unfinished`);
