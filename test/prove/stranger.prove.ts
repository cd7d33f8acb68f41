import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { addClient, addOwner, basicOf, formOf } from '../oauth/fixture.ts';
import { authorizeUrl, createVisitor } from '../oauth/visitor.ts';
import { effort } from '../support/effort.ts';
import { describeLoad, settingsOf } from '../support/engines.ts';
import { serve } from '../support/server-process.ts';
import { createWorld } from '../support/world.ts';
import { addKey, signed } from '../user-api/fixture.ts';
import type { Flood, FloodRequest } from './flood.ts';

// With and without in turn, so that whatever else the machine does falls upon both.
const ROUNDS = effort(1, 10);
const SECONDS = effort(0.5, 2);
const PER_SECOND = 200;
/** The owner's own pace, in ms between an answer and the next call. */
const PAUSE_MS = 15;
/** Where there are enough calls for figures that do not hang on what else the machine does. */
const isLong = ROUNDS >= 10;
const SLOWER_AT_MOST = 2;

interface Times {
  readonly median: number;
  readonly p95: number;
}

const timesOf = (times: readonly number[]): Times => {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)]!,
    p95: sorted[Math.floor(sorted.length * 0.95)]!,
  };
};

describeLoad(
  `a stranger's ${PER_SECOND} requests a second, ${ROUNDS} times ${SECONDS} s`,
  (database) => {
    test(
      'leave an owner’s calls within twice their time',
      { timeout: effort(120_000, 600_000) },
      async () => {
        const world = createWorld(database, { at: Date.now(), now: () => Date.now() });
        const [owner, client] = [await addOwner(world), await addClient(world)];
        await world.plant(owner.id);
        const key = await addKey(world, { accountId: owner.id });
        const folder = mkdtempSync(join(tmpdir(), 'helioport-stranger-'));
        const server = serve(folder, {
          ...settingsOf(database()),
          HELIOPORT_ROLES: 'user-api,gateway,oauth',
          HELIOPORT_RATE_LIMIT: 'off',
          HELIOPORT_TRUSTED_PROXIES: '127.0.0.1',
        });
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        try {
          const { 'user-api': userApi, oauth, gateway } = await server.started;
          const call = async (): Promise<number> => {
            const path = '/v1/api/userStationList';
            const { headers, body } = signed({ key, at: Date.now(), path, body: '{"pageNo":1}' });
            const flat = [
              ...headers,
              ['X-Forwarded-For', '198.51.100.7'],
              ['Host', 'localhost'],
              ['Content-Length', String(body!.length)],
            ].flat();
            const began = performance.now();
            const outgoing = request(`${userApi}${path}`, { method: 'POST', agent, headers: flat });
            outgoing.end(body);
            const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
            answer.resume();
            await once(answer, 'end');
            expect(answer.statusCode).toBe(200);
            return performance.now() - began;
          };
          const steady = async (): Promise<number[]> => {
            const times: number[] = [];
            for (
              const until = Date.now() + SECONDS * 1000;
              Date.now() < until;
              await pause(PAUSE_MS)
            )
              times.push(await call());
            return times;
          };
          const flooded = async (
            requests: readonly FloodRequest[],
            statuses: Record<string, number>,
          ): Promise<number[]> => {
            const workerData: Flood = { requests, perSecond: PER_SECOND, seconds: SECONDS };
            const flood = new Worker(new URL('./flood.ts', import.meta.url), { workerData });
            await once(flood, 'message');
            const answered = once(flood, 'message');
            const times = await steady();
            const [counts] = (await answered) as [Record<string, number>];
            for (const [status, count] of Object.entries(counts))
              statuses[status] = (statuses[status] ?? 0) + count;
            return times;
          };

          await steady();
          const tried: Record<string, readonly [without: Times, during: Times, statuses: object]> =
            {};
          for (const [name, requests] of Object.entries(await attacks())) {
            const [alone, beside]: number[][] = [[], []];
            const statuses: Record<string, number> = {};
            for (let round = 0; round < ROUNDS; round++) {
              alone!.push(...(await steady()));
              beside!.push(...(await flooded(requests, statuses)));
            }
            const [without, during] = [timesOf(alone!), timesOf(beside!)];
            tried[name] = [without, during, statuses];
            console.log(
              `${database().engine}, ${name}: median ${without.median.toFixed(2)} -> ${during.median.toFixed(2)} ms (${(during.median / without.median).toFixed(2)}), ` +
                `p95 ${without.p95.toFixed(2)} -> ${during.p95.toFixed(2)} ms (${(during.p95 / without.p95).toFixed(2)}), answered ${JSON.stringify(statuses)}`,
            );
          }
          for (const [name, [without, during, statuses]] of Object.entries(tried)) {
            expect([name, Object.keys(statuses).filter((status) => Number(status) >= 500)]).toEqual(
              [name, []],
            );
            if (!isLong) continue;
            expect([
              name,
              during.median / without.median <= SLOWER_AT_MOST,
              during.p95 / without.p95 <= SLOWER_AT_MOST,
            ]).toEqual([name, true, true]);
          }

          /** What somebody can send who knows addresses, ids and serial numbers, and no secret. */
          async function attacks(): Promise<Record<string, readonly FloodRequest[]>> {
            const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
            const get = (url: string): FloodRequest => ({
              url,
              method: 'GET',
              headers: {},
              body: '',
            });
            const post = (
              url: string,
              headers: Record<string, string>,
              body: string,
            ): FloodRequest => ({ url, method: 'POST', headers, body });
            const visitor = createVisitor();
            const page = await visitor.open(authorizeUrl(oauth!, client));
            const logIn = page.forms.find(({ action }) => action.startsWith('log-in?'))!;
            const cookie = {
              Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            };
            const guess = (email: string): FloodRequest =>
              post(
                new URL(logIn.action, page.url).href,
                { ...form, ...cookie },
                formOf({ ...Object.fromEntries(logIn.fields), email, password: 'a wrong guess' }),
              );
            const body = '{"pageNo":1}';
            const path = '/v1/api/userStationList';
            const forged = signed({
              key: { ...key, keySecret: '0'.repeat(32) },
              at: Date.now(),
              path,
              body,
            });
            const token = (authorization: string, fields: Record<string, string>): FloodRequest =>
              post(
                `${oauth}/oauth/token`,
                { ...form, Authorization: authorization },
                formOf(fields),
              );
            return {
              '/oauth/authorize': [
                get(page.url),
                get(authorizeUrl(oauth!, client, { redirect_uri: 'https://evil.example/' })),
                get(authorizeUrl(oauth!, client, { scope: 'x' })),
              ],
              'the log-in form': [guess(owner.email), guess('nobody@example.com')],
              'a wrong signature': [
                post(`${userApi}${path}`, Object.fromEntries(forged.headers), body),
              ],
              'a wrong token at the gateway': [
                post(
                  `${gateway}/v1/readings`,
                  { 'Content-Type': 'application/json', Authorization: `Bearer ${'x'.repeat(43)}` },
                  '{"readings":[]}',
                ),
              ],
              'wrong credentials at /oauth/token': [
                token(basicOf(client.clientId, 'wrong'), {
                  grant_type: 'authorization_code',
                  code: 'x'.repeat(43),
                  redirect_uri: client.application.redirectUri,
                }),
                token(basicOf(client.clientId, 'wrong'), {
                  grant_type: 'refresh_token',
                  refresh_token: 'x'.repeat(43),
                }),
              ],
            };
          }
        } finally {
          agent.destroy();
          server.kill('SIGTERM');
          expect((await server.ended).code).toBe(0);
          rmSync(folder, { recursive: true, force: true });
        }
      },
    );
  },
);
