import { spawn } from 'node:child_process';
import { once } from 'node:events';

const SCRIPT = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
  database.exec('begin immediate');
  console.log('held');
  process.stdin.resume().on('end', () => { database.exec('rollback'); database.close(); });
`;

/** Another process that holds SQLite's write lock of a database until it is asked to give it back. */
export async function holdLock(file: string): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', SCRIPT, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  return {
    release: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
