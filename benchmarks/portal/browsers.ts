import { once } from 'node:events';
import { get, Agent, request, type IncomingMessage } from 'node:http';
import { pageToken } from '../../packages/server/src/interfaces/edges/portal/own-pages.ts';

/** What open browsers have met since they were last asked. */
export interface Met {
  /** From a report to the news of it, for each browser, ms. */
  readonly delays: number[];
  /** From the question of an overview to its answer, ms. */
  readonly answers: number[];
  readonly events: number;
}

export interface Browsers {
  take(): Met;
  close(): void;
}

export interface OpenBrowsers {
  readonly portalUrl: string;
  /** A session for each of them. */
  readonly sessions: readonly string[];
  /** Whether they show the overview and so ask for it again, rather than listen alone. */
  readonly ask: boolean;
  /** When a plant last reported, by `performance.now()`. */
  sentAt(plantId: string): number | undefined;
}

/** How long the portal's app waits before it asks for lists again, while there is news. */
const ROUND_MS = { least: 10_000, most: 20_000 };
const QUESTIONS = [
  ['plant/ranking', { sort: 'power', pageSize: 20 }],
  ['plant/overview', {}],
] as const;

/** Opens browsers as far as a server notices: each listens and, if it asks, does so in rounds as the app does. */
export async function openBrowsers({
  portalUrl,
  sessions,
  ask,
  sentAt,
}: OpenBrowsers): Promise<Browsers> {
  let met: Met & { events: number } = { delays: [], answers: [], events: 0 };
  const agent = new Agent({ keepAlive: true });
  const timers = new Set<NodeJS.Timeout>();
  const streams: IncomingMessage[] = [];

  async function question(
    headers: Record<string, string>,
    [id, body]: (typeof QUESTIONS)[number],
  ): Promise<void> {
    const begunAt = performance.now();
    const sent = request(`${portalUrl}/portal/api/${id}`, {
      method: 'POST',
      agent,
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    sent.on('error', () => {});
    sent.end(JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`${id}: ${answer.statusCode}`);
    answer.resume();
    await once(answer, 'end');
    met.answers.push(performance.now() - begunAt);
  }

  async function open(session: string): Promise<void> {
    const headers = {
      Cookie: `helioport_portal_session=${session}`,
      'X-Helioport-CSRF': pageToken(session),
    };
    const sent = get(`${portalUrl}/portal/live`, { headers });
    const [stream] = (await once(sent, 'response')) as [IncomingMessage];
    if (stream.statusCode !== 200) throw new Error(`/portal/live: ${stream.statusCode}`);
    streams.push(stream);
    let rest = '';
    let isAsking = false;
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const now = performance.now();
      const lines = (rest + chunk).split('\n\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const [, plantId, changed = ''] =
          /^data: \{"plantId":"(\d+)","changed":\[([^\]]*)/.exec(line) ?? [];
        if (plantId === undefined || !changed.includes('readings')) continue;
        met.events += 1;
        const at = sentAt(plantId);
        if (at !== undefined) met.delays.push(now - at);
        if (!ask || isAsking) continue;
        isAsking = true;
        const waitMs = ROUND_MS.least + Math.random() * (ROUND_MS.most - ROUND_MS.least);
        const timer = setTimeout(() => {
          timers.delete(timer);
          isAsking = false;
          for (const each of QUESTIONS) void question(headers, each).catch(() => {});
        }, waitMs);
        timers.add(timer);
      }
    });
    stream.on('error', () => {});
  }

  await Promise.all(sessions.map(open));
  return {
    take() {
      const taken = met;
      met = { delays: [], answers: [], events: 0 };
      return taken;
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
      for (const stream of streams) stream.destroy();
      agent.destroy();
    },
  };
}
