import type { LiveUpdate } from '@helioport/contract';
import { livingSessions } from '../../../../identity/accounts/sessions.ts';
import { COMMANDS } from '../../../../control/commands/open-commands.ts';
import type { Clock } from '../../../../platform/kernel/clock.ts';
import { Failure } from '../../../../platform/kernel/failure.ts';
import type { Logger } from '../../../../platform/kernel/logger.ts';
import { createPlaces } from '../../../../platform/kernel/places.ts';
import { listReaders } from '../../../../fleet/plants/access.ts';
import type { Db, Instant } from '../../../../platform/storage/database.ts';
import type { WakeUps } from '../../../../platform/storage/wake-ups/port.ts';
import { createBell } from '../../../../platform/work/bell.ts';
import { createChangeReader, type LiveChanges } from './changes.ts';

/** A browser that follows what happens. */
export interface LiveStream {
  readonly accountId: string;
  /** The session's id. */
  readonly sessionId: string;
  /** That the browser has left. */
  readonly gone: AbortSignal;
  /** Sends text; false = the browser does not keep up. */
  send(text: string): boolean;
  end(): void;
}

/** The browsers that this instance tells what happens in the plants that they may see, and who was invited to one, or to a company. */
export interface Streams {
  /** Adds a browser until it leaves. Throws tooManyRequests if its account has too many. */
  join(stream: LiveStream): void;
  /** How many there are. */
  count(): number;
  /** Ends all of them. */
  close(): void;
}

interface StreamsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly wakeUps: Pick<WakeUps, 'on'>;
  /** How often to look; by default, every few seconds. */
  readonly pace?: LivePace;
}

/** In milliseconds. */
export interface LivePace {
  /** How often to look without a wake-up. */
  readonly lookMs: number;
  /** The least time between two looks. */
  readonly restMs: number;
}

const USUAL_PACE: LivePace = { lookMs: 3_000, restMs: 1_000 };

/** Proxies close connections on which nothing is sent; usually after a minute. */
const HEARTBEAT_MS = 15_000;

/** Enough for a person with several devices and many tabs. */
const STREAMS_AT_MOST = 20;

const tooMany = (): Failure =>
  new Failure('tooManyRequests', {
    data: { retryAfterSeconds: 60 },
    message: 'too many live connections',
  });

/** All browsers are served by one look at the database, and while there are none, nobody looks. */
export function createStreams({
  db,
  clock,
  logger,
  wakeUps,
  pace = USUAL_PACE,
}: StreamsDeps): Streams {
  const streams = new Set<LiveStream>();
  const places = createPlaces({ each: STREAMS_AT_MOST, refusal: tooMany });
  let watching = false;
  let closed = false;
  const [resting, waiting] = [createBell(), createBell()];

  const leave = (stream: LiveStream): void => {
    streams.delete(stream);
    if (streams.size > 0) return;
    resting.ring();
    waiting.ring();
  };
  const drop = (stream: LiveStream): void => {
    leave(stream);
    stream.end();
  };
  const sendTo = (stream: LiveStream, text: string): void => {
    if (!stream.send(text)) drop(stream);
  };

  /** Access is read when something is sent, so that it ends with a session or a share. */
  async function tell({ plants, invited }: LiveChanges): Promise<void> {
    const present = [...streams];
    const living = await livingSessions(db, clock.now(), [
      ...new Set(present.map(({ sessionId }) => sessionId)),
    ]);
    for (const stream of present) if (!living.has(stream.sessionId)) drop(stream);
    if (plants.size + invited.size === 0 || streams.size === 0) return;
    const listeners = [...new Set([...streams].map(({ accountId }) => accountId))];
    const texts = new Map<string, string>();
    const add = (accountId: string, update: LiveUpdate): unknown =>
      texts.set(accountId, `${texts.get(accountId) ?? ''}data: ${JSON.stringify(update)}\n\n`);
    for (const accountId of invited) add(accountId, { changed: ['invitations'] });
    for (const { accountId, plantId } of await listReaders(db, listeners, [...plants.keys()]))
      add(accountId, { plantId, ...plants.get(plantId)! });
    for (const stream of streams) {
      const text = texts.get(stream.accountId);
      if (text !== undefined) sendTo(stream, text);
    }
  }

  async function watch(): Promise<void> {
    const sleepOn = wakeUps.on(COMMANDS, waiting.ring);
    const look = createChangeReader({ db, clock });
    let beatenAt: Instant = clock.now();
    while (streams.size > 0) {
      try {
        await look(tell);
      } catch (error) {
        logger.debug(
          { reason: (error as Error).message },
          'what happens in plants could not be sent',
        );
      }
      if (clock.now() - beatenAt >= HEARTBEAT_MS) {
        beatenAt = clock.now();
        for (const stream of streams) sendTo(stream, ':\n\n');
      }
      await resting.wait(pace.restMs);
      await waiting.wait(pace.lookMs - pace.restMs);
    }
    sleepOn();
  }

  async function begin(): Promise<void> {
    if (watching) return;
    watching = true;
    await watch().finally(() => {
      watching = false;
    });
    // Somebody may have come while the last round ended.
    if (streams.size > 0) void begin();
  }

  return {
    join(stream) {
      if (closed) throw tooMany();
      const { accountId, gone } = stream;
      places.until(accountId, gone);
      if (gone.aborted) return;
      streams.add(stream);
      gone.addEventListener('abort', () => leave(stream), { once: true });
      void begin();
    },
    count: () => streams.size,
    close() {
      closed = true;
      for (const stream of streams) drop(stream);
    },
  };
}
