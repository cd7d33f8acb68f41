import { spawn } from 'node:child_process';
import process from 'node:process';
import { whenOrphaned } from '../../packages/server/bin/orphan.mjs';

/** A set-up step that cannot be done; the message is for people. */
export class SetupFault extends Error {}

const LAST_WORDS_MS = 200;

/**
 * Runs a program without input; resolves to its exit code and, with `capture`, its output. A program that takes longer
 * than `limitSeconds` is ended together with everything that it started; its exit code is then 124.
 */
export function run(
  command,
  args,
  { limitSeconds, environment = {}, capture = false, shell = false },
) {
  return new Promise((resolve) => {
    const output = capture ? 'pipe' : 'inherit';
    // In its own process group, so that what it started can be ended with it.
    const detached = process.platform !== 'win32';
    const child = spawn(command, args, {
      stdio: ['ignore', output, output],
      detached,
      shell,
      env: { ...process.env, ...environment },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => (text += chunk));

    const end = (signal) => {
      try {
        if (detached) process.kill(-Number(child.pid), signal);
        else child.kill(signal);
      } catch {
        // It has just ended on its own.
      }
    };
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      end('SIGTERM');
      setTimeout(() => end('SIGKILL'), 5000).unref();
    }, limitSeconds * 1000);
    const interrupted = (signal) => {
      end(signal);
      process.exit(130);
    };
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
    const stopWatching = whenOrphaned(() => interrupted('SIGTERM'));
    const finish = (code) => {
      clearTimeout(timer);
      stopWatching();
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      resolve({ code: timedOut ? 124 : code, output: text });
    };
    child.once('error', (error) => {
      text += error.message;
      finish(127);
    });
    // Not `close`: a service that the program started may keep the pipes open. Remaining output gets a moment to arrive.
    child.once('exit', (code) => {
      setTimeout(() => finish(code ?? 1), capture ? LAST_WORDS_MS : 0);
    });
  });
}
