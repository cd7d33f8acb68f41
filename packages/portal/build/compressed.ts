import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest)$/;

/** Below this a file fits into one packet anyhow. */
const WORTH_IT_BYTES = 1024;

/** Writes a `.br` and a `.gz` beside every file that they make smaller, so that the server compresses nothing itself. */
export const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir }) {
    for (const name of readdirSync(dir!, { recursive: true, encoding: 'utf8' }).filter((file) =>
      COMPRESSIBLE.test(file),
    )) {
      const file = join(dir!, name);
      const bytes = readFileSync(file);
      if (bytes.length < WORTH_IT_BYTES) continue;
      writeFileSync(
        `${file}.br`,
        brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      );
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});
