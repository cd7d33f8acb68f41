import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { rotateClientSecret } from '../../packages/server/src/identity/oauth/client-secrets.ts';
import { findPostgres } from '../support/postgres.ts';
import type { TestDatabase } from '../support/engines.ts';
import { addClient, addOwner, describeOauth, PASSWORD } from './fixture.ts';
import { authorizeUrl, createVisitor, signIn, type Page } from './visitor.ts';

/** Everything that the database holds, as bytes: files of the embedded one, a dump of the other with its bytes as hex. */
async function dumpOf({ engine, address, db }: TestDatabase): Promise<Buffer> {
  if (engine === 'postgres')
    return execFileSync(join(findPostgres()!, 'pg_dump'), ['--dbname', address], {
      maxBuffer: 1 << 30,
    });
  await sql`pragma wal_checkpoint(full)`.execute(db);
  return Buffer.concat([address, `${address}-wal`].map((file) => readFileSync(file)));
}

describeOauth('after a full run', (t) => {
  test('no dump, log line, metric, page or audit row holds a code, token, secret, password or cookie (O24, O76)', async () => {
    const secrets = new Map<string, string>();
    const keep = (name: string, value: string): string => (
      secrets.set(`${name} ${secrets.size}`, value),
      value
    );
    const pages: string[] = [];
    const seen = (page: Page): Page => (pages.push(page.text), page);

    const client = await addClient(t.world);
    const owner = await addOwner(t.world);
    keep('client secret', client.clientSecret);
    keep(
      'client secret',
      await t.world.write((trx) =>
        rotateClientSecret(trx, t.world.act(), client.application, t.clock.at + 86_400_000),
      ),
    );
    keep('password', PASSWORD);
    keep('Basic header', client.basic.slice('Basic '.length));

    const visitor = createVisitor();
    const cookies = (): void => visitor.cookies.forEach((value, name) => keep(name, value));
    const logIn = seen(
      await visitor.open(authorizeUrl(t.oauth.url, client, { state: keep('state', randomUUID()) })),
    );
    cookies();
    seen(
      await visitor.submit(logIn, 'log-in', {
        email: owner.email,
        password: keep('wrong password', 'Tr0ub4dor&3-wrong'),
      }),
    );
    const consent = seen(await signIn(visitor, authorizeUrl(t.oauth.url, client), owner.email));
    cookies();
    const code = keep(
      'code',
      (
        await visitor.submit(consent, 'consent', { decision: 'approve' })
      ).location!.searchParams.get('code')!,
    );
    seen(await visitor.submit(consent, 'consent', { decision: 'approve' }));

    let pair = (
      await t.exchange(
        client,
        code,
        {},
        { 'Idempotency-Key': keep('Idempotency-Key', randomUUID()) },
      )
    ).body;
    for (let i = 0; i < 3; i++) {
      keep('access token', pair.access_token);
      keep('refresh token', pair.refresh_token);
      pair = (await t.refresh(client, pair.refresh_token, {}, { 'Idempotency-Key': randomUUID() }))
        .body;
    }
    keep('access token', pair.access_token);
    keep('refresh token', pair.refresh_token);
    // Refusals have seen secrets too.
    await t.exchange(client, code, { code_verifier: keep('verifier', randomUUID().repeat(2)) });
    await t.exchange(client, code, { client_secret: client.clientSecret });
    await t.refresh(client, pair.access_token);
    await t.revoke(client, pair.access_token);
    await fetch(
      `${t.oauth.url}/api/access_data/userStationList?access_token=${pair.access_token}`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${pair.access_token}` },
      },
    );
    await fetch(`${t.oauth.url}/oauth/token?code=${code}&client_secret=${client.clientSecret}`, {
      method: 'POST',
    });
    await t.refresh(client, `${pair.refresh_token}\u0000`);

    const places = {
      database: await dumpOf(t.database()),
      log: Buffer.from(t.oauth.log()),
      metrics: Buffer.from(await t.oauth.metrics()),
      pages: Buffer.from(pages.join('\n')),
    };
    expect(places.log.length).toBeGreaterThan(1000);
    for (const [place, bytes] of Object.entries(places)) {
      for (const [name, value] of secrets) {
        const forms = [
          value,
          encodeURIComponent(value),
          Buffer.from(value).toString('hex'),
          Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -2),
        ];
        // What a page shows of its own request stands in its address already; a state is the application's, and no secret of ours.
        const allowed = name.startsWith('state') && place === 'pages';
        const found = forms.filter((form) => bytes.includes(form));
        expect([place, name, allowed ? [] : found]).toEqual([place, name, []]);
      }
    }
  });
});
