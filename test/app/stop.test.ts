import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

let home: Installation;
let server: ServerProcess;
let token: string;

beforeEach(async () => {
  home = createInstallation();
  const json = async (...args: string[]): Promise<any> =>
    (await home.helioport(...args, '--json')).json();
  await json(
    'user',
    'add',
    '--email',
    'owner@example.org',
    '--role',
    'owner',
    '--password',
    'a long password',
  );
  const { id: plant } = await json(
    'plant',
    'add',
    '--owner',
    'owner@example.org',
    '--name',
    'Home',
    '--capacity-kwp',
    '10',
    '--time-zone',
    'UTC',
  );
  ({ token } = await json('collector', 'add', '--plant', plant, '--sn', 'C1'));
  await json(
    'device',
    'add',
    '--plant',
    plant,
    '--kind',
    'inverter',
    '--sn',
    'I1',
    '--collector',
    'C1',
  );
  server = serve(home.folder);
});
afterEach(async () => {
  server.kill('SIGKILL');
  await server.ended;
  home.remove();
});

/** A report whose headers the gateway has read and whose body it waits for. */
async function begunReport(gateway: string): Promise<ClientRequest> {
  const report = request(`${gateway}/v1/readings`, {
    method: 'POST',
    agent: false,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Expect: '100-continue',
    },
  });
  report.flushHeaders();
  await once(report, 'continue');
  return report;
}

async function textOf(report: ClientRequest): Promise<{ status: number; text: string }> {
  const [answer] = (await once(report, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode!, text };
}

const isRefused = (address: string): Promise<boolean> =>
  fetch(`${address}/healthz`).then(
    () => false,
    () => true,
  );

const storedSamples = (): number => {
  const database = new DatabaseSync(join(home.folder, 'data', 'helioport.db'), { readOnly: true });
  const row = database.prepare('select count(*) as n from sample').get() as { n: number };
  database.close();
  return row.n;
};

test('a stop answers the requests that have begun, takes no new ones, and keeps what it acknowledged', async () => {
  const { gateway } = await server.started;
  const reports = [await begunReport(gateway!), await begunReport(gateway!)];
  server.kill('SIGTERM');
  await expect.poll(() => isRefused(gateway!)).toBe(true);

  for (const [i, report] of reports.entries()) {
    const answered = textOf(report);
    report.end(
      JSON.stringify({
        readings: [
          { sn: 'I1', at: 1_700_000_000_000 + i * 300_000, values: { acPowerW: 1000 + i } },
        ],
      }),
    );
    expect(await answered).toEqual({
      status: 200,
      text: '{"accepted":1,"duplicate":0,"refused":[]}',
    });
  }
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(storedSamples()).toBe(2);
});

test('a caller that never ends its request cannot hold up a stop for longer than some seconds', async () => {
  const { gateway } = await server.started;
  const report = await begunReport(gateway!);
  const cut = once(report, 'error');
  const begin = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  await cut;
  expect(performance.now() - begin).toBeLessThan(30_000);
});

test('an idle connection that is kept alive does not hold up a stop', async () => {
  const { 'user-api': userApi } = await server.started;
  // fetch keeps its connection.
  await (await fetch(`${userApi}/healthz`)).text();
  const begin = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - begin).toBeLessThan(9_000);
});
