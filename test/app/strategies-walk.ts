import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { DemoCredentials } from '../../packages/server/src/interfaces/cli/demo/demo-file.ts';
import { createVisitor } from '../oauth/visitor.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/strategies.md'), 'utf8');

const DEMO_REPORTS_EVERY_MS = 300_000;
/** From the dispatch to what it has delivered, on a busy machine. */
const WALK_TAKES_MS = 25_000;

function commandsOf(step: string): string {
  const [, text] = new RegExp(`^\`\`\`sh ${step}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/strategies.md has no step ${step}`);
  return text;
}

export interface WalkPlace {
  /** Runs a script where the demo runs, and resolves to what it prints. */
  run(script: string): Promise<string>;
  readonly oauthUrl: string;
  readonly gatewayUrl: string;
  readonly demo: DemoCredentials;
  /** A file that the walk has made. */
  read(name: string): string;
}

/** Takes the walk of docs/strategies.md beside a running demo, with commands to the letter. */
export async function walkStrategies({
  run,
  oauthUrl,
  gatewayUrl,
  demo,
  read,
}: WalkPlace): Promise<void> {
  const variables: Record<string, string> = { OAUTH_URL: oauthUrl };
  const sh = (script: string): Promise<string> => {
    const assigned = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
    return run([...assigned, script].join('\n'));
  };
  const lastOf = (output: string): any =>
    JSON.parse(
      output
        .trim()
        .split('\n')
        .at(-1)!
        .replace(/^.*\}(?=\{)/, ''),
    );

  const application = JSON.parse(await sh(commandsOf('register'))) as {
    clientId: string;
    clientSecret: string;
  };
  Object.assign(variables, {
    CLIENT_ID: application.clientId,
    CLIENT_SECRET: application.clientSecret,
  });

  const visitor = createVisitor();
  const { email, password } = demo.people[0]!;
  const signedIn = await visitor.submit(
    await visitor.open((await sh(commandsOf('authorize'))).trim()),
    'log-in',
    { email, password },
  );
  const back = await visitor.submit(await visitor.open(signedIn.location!.href), 'consent', {
    decision: 'approve',
  });
  variables['CODE'] = back.location!.searchParams.get('code')!;
  variables['ACCESS_TOKEN'] = lastOf(await sh(commandsOf('exchange'))).access_token;
  expect(await sh(commandsOf('limits'))).toContain('20 %');

  // The function and the variables of this step are there for all that follow.
  const create = commandsOf('create');
  const shared = create.split('\n').slice(0, 1).join('\n');
  const created = await sh(create);
  expect(created).toContain('"data":{"devices":1}');
  variables['ID'] = lastOf(created).data.id;
  const step = (name: string): Promise<string> => sh(`${shared}\n${commandsOf(name)}`);
  const detail = async (): Promise<any> => lastOf(await step('detail')).data;
  const { sn, token, specification } = {
    ...demo.plants[0]!,
    sn: demo.plants[0]!.specification.inverters[0]!.sn,
  };
  const readings = (fromAt: number, count: number, batteryPowerW: number): object[] =>
    Array.from({ length: count }, (_, i) => ({
      sn,
      at: fromAt + i * 60_000,
      values: { batteryPowerW, batterySocPercent: 60 },
    }));
  const report = async (own: object[]): Promise<void> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${gatewayUrl}/v1/readings`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ readings: own }),
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ refused: [] }),
    ]);
  };
  expect(specification.inverters).toHaveLength(1);

  // The demo's own next report would say something else.
  await vi.waitUntil(
    () => Date.now() % DEMO_REPORTS_EVERY_MS < DEMO_REPORTS_EVERY_MS - WALK_TAKES_MS,
    { timeout: 2 * WALK_TAKES_MS, interval: 500 },
  );
  const dispatchedAt = lastOf(await step('dispatch')).data.dispatchedAt as number;
  await vi.waitFor(
    async () =>
      expect(await detail()).toMatchObject({ state: 'active', targets: [{ sn, state: 'active' }] }),
    {
      timeout: 60_000,
      interval: 500,
    },
  );
  const registers = await step('registers');
  for (const value of ['00:00-12:00', '20', '35'])
    expect(registers).toMatch(new RegExp(`\\b${value}\\b`));
  // 2 kW of a battery with 48.1 V, when it is empty, to 54.3 V.
  const amps = Number(/"cid":"5967","msg":"(\d+)"/.exec(registers)?.[1]);
  expect(amps).toBeGreaterThanOrEqual(36);
  expect(amps).toBeLessThanOrEqual(41);

  // What the next reports would say, without waiting for them.
  const now = Date.now();
  await report([
    ...readings(dispatchedAt - 20 * 60_000, 21, -500),
    { sn, at: dispatchedAt + 1, values: { batteryPowerW: -2000, batterySocPercent: 60 } },
  ]);
  await report([{ sn, at: now, values: { batteryPowerW: -2000, batterySocPercent: 60 } }]);
  expect(await step('delivery')).toMatch(/ discharge +2 +2 /);
  const [header, first] = read('settlement.csv').split('\n');
  expect([header, first]).toEqual([
    expect.stringMatching(/^sn,start,end,payload,/),
    expect.stringMatching(new RegExp(`^${sn},.*,discharge,battery,2,2,`)),
  ]);
  expect(lastOf(await step('figures')).data.rows[0]).toMatchObject({
    sn,
    askedKw: 2,
    baselineKw: expect.any(Number),
  });

  await step('cancel');
  await vi.waitFor(
    async () =>
      expect((await detail()).targets[0]).toMatchObject({
        state: 'cancelled',
        restoredAt: expect.any(Number),
      }),
    {
      timeout: 60_000,
      interval: 500,
    },
  );
  expect(await step('registers')).toMatch(/\b00:00-00:00\b/);
  // It has ended already; the owner's command says so by doing nothing.
  await step('stop');
}
