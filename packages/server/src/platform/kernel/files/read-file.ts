import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Far more than settings, keys, certificates, tariffs and captured requests have. */
const BYTES_AT_MOST = 16 * 1024 * 1024;

/** A file that is none to read as a whole; `code` says why in words. */
class UnreadableFile extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Reads a file that a person has named. Devices, pipes and the files of the kernel, which may never end or never begin, are not waited for: nothing is
 * opened that is not a regular file, and no more is read than its size.
 * @throws errors with a `code`
 */
export function readNamedFile(path: string): Buffer {
  const about = statSync(path);
  if (about.isDirectory()) throw new UnreadableFile('it is a folder');
  if (!about.isFile()) throw new UnreadableFile('it is not a regular file');
  if (about.size > BYTES_AT_MOST) throw new UnreadableFile('it has more than 16 MiB');
  const bytes = Buffer.alloc(about.size);
  if (bytes.length === 0) return bytes;
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (;;) {
      const more = readSync(file, bytes, length, bytes.length - length, length);
      length += more;
      if (more === 0 || length === bytes.length) return bytes.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** Like `readNamedFile`, as text. */
export const readNamedText = (path: string): string => readNamedFile(path).toString('utf8');
