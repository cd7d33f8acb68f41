import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lutimesSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Gives everything below a folder the time of the release and plain modes, so that the same sources give the same bytes. */
export function level(folder, epochSeconds) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink())
      chmodSync(path, entry.isDirectory() || statSync(path).mode & 0o100 ? 0o755 : 0o644);
    lutimesSync(path, epochSeconds, epochSeconds);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, epochSeconds, epochSeconds);
}

/** Packs a levelled folder, itself included, with GNU tar. */
export function packTar(folder, file, epochSeconds) {
  const order = ['--sort=name', '--format=gnu', `--mtime=@${epochSeconds}`];
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const packed = ['-C', dirname(folder), '-cf', '-', basename(folder)];
  const tar = execFileSync('tar', [...order, ...owner, ...packed], { maxBuffer: 2 ** 31 - 1 });
  writeFileSync(file, gzipSync(tar, { level: 6 }));
}

/** Writes the digests of the files in a folder, as `sha256sum --check` reads them. */
export function writeChecksums(folder) {
  const lines = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map(({ name }) => name)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), `${lines.join('\n')}\n`);
}
