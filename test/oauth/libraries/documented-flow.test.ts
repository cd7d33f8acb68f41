import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { operations } from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  AnyOperation,
  RouteHandler,
} from '../../../packages/server/src/interfaces/edges/http/mount.ts';
import { systemClock } from '../../../packages/server/src/platform/kernel/clock.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { createWorld } from '../../support/world.ts';
import { addClient, addOwner, type TestClient } from '../fixture.ts';
import { startOauth, type TestOauth } from '../listener.ts';
import { createVisitor, signIn } from '../visitor.ts';
import { operationsOn } from '../../support/operations.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/oauth.md'), 'utf8');
const run = promisify(execFile);

/** The commands of a step, as they stand in the page. */
function commandsOf(step: string): string {
  const [, text] = new RegExp(`^\`\`\`sh ${step}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/oauth.md has no step ${step}`);
  return text;
}

function isInstalled(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const installed = isInstalled();
if (!installed)
  console.log('skipped: the documented OAuth flow (curl and openssl are not installed)');

describe.skipIf(!installed)('docs/oauth.md', () => {
  const clock = { at: 0, now: systemClock.now };
  let database: TestDatabase;
  const world = createWorld(() => database, clock);
  let server: TestOauth;
  let client: TestClient;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    const { db } = database;
    const handlers = operationsOn(db, clock, world.newId) as unknown as Record<
      string,
      RouteHandler
    >;
    server = await startOauth(database, clock, {
      operations: Object.values(operations) as unknown as AnyOperation[],
      handlers,
    });
    client = await addClient(world, {
      redirectUri: 'https://yield-watch.example/callback?tenant=1&x=a%20b',
    });
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  test('walks through the flow with commands that work to the letter', async () => {
    const owner = await addOwner(world);
    const plantId = await world.plant(owner.id);
    const variables: Record<string, string> = {
      PATH: process.env['PATH'] ?? '',
      OAUTH_URL: server.url,
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      REDIRECT_URI: client.application.redirectUri,
    };
    const sh = async (commands: string): Promise<string> =>
      (await run('sh', ['-ec', commands], { env: variables })).stdout.trim();
    const step = async (name: string): Promise<any> => JSON.parse(await sh(commandsOf(name)));
    const keep = ({
      access_token,
      refresh_token,
    }: {
      access_token: string;
      refresh_token: string;
    }): void =>
      void Object.assign(variables, { ACCESS_TOKEN: access_token, REFRESH_TOKEN: refresh_token });

    const [address, verifier] = (await sh(`${commandsOf('authorize')}\necho "$VERIFIER"`)).split(
      '\n',
    );
    const visitor = createVisitor();
    const back = await visitor.submit(await signIn(visitor, address!, owner.email), 'consent', {
      decision: 'approve',
    });
    expect(back.location!.href.startsWith(client.application.redirectUri)).toBe(true);
    Object.assign(variables, {
      CODE: back.location!.searchParams.get('code')!,
      VERIFIER: verifier!,
    });

    keep(await step('exchange'));
    expect((await step('call')).data.page.records).toMatchObject([{ id: plantId }]);
    expect((await step('introspect')).active).toBe(true);
    keep(await step('refresh'));
    expect((await step('call')).code).toBe('0');
    expect(await sh(commandsOf('revoke'))).toBe('{}');
    expect((await step('call')).code).toBe('401');
    expect(await step('introspect')).toEqual({ active: false });
  });
});
