// npm run release [-- --to FOLDER] [--target linux-x64,linux-arm64] [--only npm]: builds what is published of a version into dist/release.
// The same sources give the same bytes. Runs on Node 20 or newer.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findNode } from './lib/node.mjs';
import { buildPortal } from './lib/portal.mjs';
import { run, SetupFault } from './lib/run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_SECONDS = 900;

try {
  await buildPortal(root, (text) => console.log(`release: ${text}`));
  // Stripping types needs the Node that runs the product.
  const build = fileURLToPath(new URL('release/build.mjs', import.meta.url));
  const args = ['--disable-warning=ExperimentalWarning', build, root, ...process.argv.slice(2)];
  const { code } = await run(findNode(root), args, { limitSeconds: LIMIT_SECONDS });
  process.exitCode = code;
} catch (error) {
  if (!(error instanceof SetupFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
