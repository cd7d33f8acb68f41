// npm run build: builds the portal, which is all that needs building. Plain JavaScript: runs on Node 20 or newer.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildPortal } from './lib/portal.mjs';
import { SetupFault } from './lib/run.mjs';

try {
  await buildPortal(fileURLToPath(new URL('..', import.meta.url)), (text) =>
    console.log(`build: ${text}`),
  );
} catch (error) {
  if (!(error instanceof SetupFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
