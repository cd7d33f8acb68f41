import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import {
  archiveEnd,
  archiveEndLength,
  directoryRow,
  directoryRowLength,
  localHeader,
  localLength,
  type PlacedEntry,
  type ZipEntry,
} from '../../packages/server/src/data-rights/exports/zip/format.ts';

const folder = mkdtempSync(join(tmpdir(), 'helioport-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const AT = Date.parse('2026-06-01T12:30:10Z');

/** Writes an archive of stored files; a hole stands before the file that `gap` names. */
function write(
  name: string,
  files: readonly (readonly [name: string, content: string])[],
  gap?: { before: string; bytes: number },
): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  let offset = 0;
  const put = (bytes: Buffer): void => {
    writeSync(file, bytes, 0, bytes.length, offset);
    offset += bytes.length;
  };
  const placed = files.map(([fileName, content]): PlacedEntry => {
    if (gap?.before === fileName) offset += gap.bytes;
    const bytes = Buffer.from(content);
    const entry: ZipEntry = {
      name: fileName,
      method: 0,
      crc: crc32(bytes),
      size: bytes.length,
      packedSize: bytes.length,
    };
    const at = offset;
    put(localHeader(entry, AT));
    put(bytes);
    expect(offset - at).toBe(localLength(entry));
    return { ...entry, offset: at };
  });
  const directory = {
    offset,
    entries: placed.length,
    length: placed.reduce((sum, entry) => sum + directoryRowLength(entry), 0),
  };
  put(Buffer.concat(placed.map((entry) => directoryRow(entry, AT))));
  expect(offset).toBe(directory.offset + directory.length);
  const end = archiveEnd(directory);
  expect(end.length).toBe(archiveEndLength(directory));
  put(end);
  closeSync(file);
  return path;
}

const python = (script: string, path: string): unknown =>
  JSON.parse(
    execFileSync(
      'python3',
      ['-c', `import json, sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n${script}`, path],
      { encoding: 'utf8' },
    ),
  );

test('an archive is read by others, with names in any language and times in UTC', () => {
  const path = write('small.zip', [
    ['a.txt', 'one'],
    ['东京/Ärger.csv', 'two'],
  ]);
  const read = python(
    'print(json.dumps([z.testzip(), [[i.filename, z.read(i).decode(), i.date_time] for i in z.infolist()]]))',
    path,
  );
  expect(read).toEqual([
    null,
    [
      ['a.txt', 'one', [2026, 6, 1, 12, 30, 10]],
      ['东京/Ärger.csv', 'two', [2026, 6, 1, 12, 30, 10]],
    ],
  ]);
});

test('an empty archive is one too', () => {
  expect(python('print(json.dumps(z.namelist()))', write('empty.zip', []))).toEqual([]);
});

test('an archive of more than 4 GiB, and one of more than 65,535 files, are read by others', () => {
  const far = write(
    'far.zip',
    [
      ['a', 'near'],
      ['b', 'far away'],
    ],
    { before: 'b', bytes: 2 ** 32 + 5 },
  );
  expect(python('print(json.dumps([z.namelist(), z.read("b").decode()]))', far)).toEqual([
    ['a', 'b'],
    'far away',
  ]);
  const many = write(
    'many.zip',
    Array.from({ length: 65_540 }, (_, i) => [`f${i}`, ''] as const),
  );
  expect(python('print(json.dumps([len(z.namelist()), z.namelist()[-1]]))', many)).toEqual([
    65_540,
    'f65539',
  ]);
});
