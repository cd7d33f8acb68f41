import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createSleepers } from './sleepers.ts';
import type { WakeUps } from './port.ts';

/** The channel that all instances of a database listen to; the payload is the topic. */
export const CHANNEL = 'helioport';

const RECONNECT_MS = 1_000;
/** How often a query checks that the connection has not died silently. */
const ALIVE_EVERY_MS = 10_000;
const ANSWER_LIMIT_MS = 5_000;

/** Uses LISTEN on a separate connection, which is replaced when it breaks. */
export function createPostgresWakeUps(url: string): WakeUps {
  const sleepers = createSleepers();
  const ending = new AbortController();
  let listening: Promise<void> | undefined;

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
      keepAlive: true,
    });
    const over = new AbortController();
    const end = (): void => over.abort();
    // Closes the connection, whatever it is waiting for.
    const close = (): void => void client.end().catch(() => {});
    ending.signal.addEventListener('abort', close);
    client.on('error', end).on('end', end);
    client.on('notification', ({ payload = '' }) => sleepers.wake(payload));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      // Notifications that were sent while nobody listened are lost, so everybody is woken once.
      sleepers.wakeAll();
      const signal = AbortSignal.any([over.signal, ending.signal]);
      for (;;) {
        await pause(ALIVE_EVERY_MS, undefined, { signal });
        await client.query('select 1');
      }
    } finally {
      ending.signal.removeEventListener('abort', close);
      // Closing is not awaited, because a dead connection never closes cleanly.
      close();
    }
  }

  async function listen(): Promise<void> {
    while (!ending.signal.aborted) {
      await listenOnce().catch(() => {});
      await pause(RECONNECT_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  return {
    on(topic, wake) {
      listening ??= listen();
      return sleepers.add(topic, wake);
    },
    async close() {
      ending.abort();
      await listening;
    },
  };
}
