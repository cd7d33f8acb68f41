import process from 'node:process';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { startOauth } from './listener.ts';

// A server process of its own: `node instance.ts DATABASE`. Says its address in one line; ends with its standard input.
const storage = openStorage(process.argv[2]!);
const oauth = await startOauth(storage, systemClock);
process.stdout.write(`${oauth.url}\n`);
process.stdin.resume().once('end', () => process.exit());
