import { Agent, request as httpRequest } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { describeUserApi, hmacSha1, withHeaders, type WireRequest } from './fixture.ts';

const ROUNDS = 40;
const REQUESTS_A_ROUND = 40;
// Some 7,000 requests, also on a machine that is busy with other things.
const TIMEOUT_MS = 180_000;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

describeUserApi('S10: an unknown key', (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => agent.destroy());

  /** From the request’s last byte to the answer’s first, in microseconds. */
  function time({ headers, body, target }: WireRequest): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const flat = [
      ...headers.flat(),
      'Host',
      'localhost',
      'Content-Length',
      String(Buffer.byteLength(body as string)),
    ];
    const outgoing = httpRequest(
      { port: t.api.port, host: '127.0.0.1', method: 'POST', path: target!, headers: flat, agent },
      (response) => {
        const microseconds = (performance.now() - start) * 1000;
        response.resume().on('end', () => resolve(microseconds));
      },
    );
    outgoing.on('error', reject);
    const start = performance.now();
    outgoing.end(body);
    return promise;
  }

  test(
    'takes as long as a wrong signature: their medians differ by no more than those of two runs of one case',
    async () => {
      const forged = (keyId: string): WireRequest =>
        withHeaders(t.sign(), { Authorization: `API ${keyId}:${hmacSha1('guess', 'x')}` });
      const cases = {
        wrong: forged(t.key.keyId),
        wrongAgain: forged(t.key.keyId),
        unknown: forged('1300000000000000000'),
        unknownAgain: forged('1300000000000000000'),
      };
      const names = Object.keys(cases) as (keyof typeof cases)[];
      const rounds: Record<keyof typeof cases, number>[] = [];
      for (let i = 0; i < 300; i++) for (const name of names) await time(cases[name]);
      for (let round = 0; round < ROUNDS; round++) {
        const samples = { wrong: [], wrongAgain: [], unknown: [], unknownAgain: [] } as Record<
          keyof typeof cases,
          number[]
        >;
        // One after the other, each time beginning with another, so that a slow moment of the machine meets all of them.
        for (let i = 0; i < REQUESTS_A_ROUND; i++)
          for (let j = 0; j < names.length; j++)
            samples[names[(i + j) % names.length]!].push(
              await time(cases[names[(i + j) % names.length]!]),
            );
        rounds.push({
          wrong: median(samples.wrong),
          wrongAgain: median(samples.wrongAgain),
          unknown: median(samples.unknown),
          unknownAgain: median(samples.unknownAgain),
        });
      }
      const same = rounds.flatMap((r) => [r.wrong - r.wrongAgain, r.unknown - r.unknownAgain]);
      const different = rounds.flatMap((r) => [r.wrong - r.unknown, r.wrongAgain - r.unknownAgain]);
      // Where nine of ten differences between two runs of one case lie: half of them would refuse equal cases now and then.
      const spread = same.map(Math.abs).toSorted((a, b) => a - b)[Math.floor(same.length * 0.9)]!;
      expect(Math.abs(median(different))).toBeLessThanOrEqual(spread);
    },
    TIMEOUT_MS,
  );
});
