import { spawn } from 'node:child_process';
import process from 'node:process';

/** A set-up step that cannot be done, in words for a person. */
export class SetupFault extends Error {}

/**
 * Runs a program without input and gives its exit code. A program that takes longer than `limitSeconds`
 * is ended with everything it started; that counts as exit code 124.
 */
export function run(command, args, { limitSeconds, environment = {}, quiet = false }) {
  return new Promise((resolve) => {
    // A group of its own, so that what it started ends with it.
    const detached = process.platform !== 'win32';
    const stdio = ['ignore', quiet ? 'ignore' : 'inherit', quiet ? 'ignore' : 'inherit'];
    const child = spawn(command, args, { stdio, detached, env: { ...process.env, ...environment } });
    const end = (signal) => {
      try {
        if (detached) process.kill(-child.pid, signal);
        else child.kill(signal);
      } catch {
        // It has just ended by itself.
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
    const finish = (code) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      resolve(timedOut ? 124 : code);
    };
    child.once('error', () => finish(127));
    child.once('exit', (code) => finish(code ?? 1));
  });
}
