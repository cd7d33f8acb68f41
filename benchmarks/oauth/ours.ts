// Helioport's OAuth interface as the product serves it, except for the rate limit, which benchmarks must not reach. Arguments: DATABASE
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import {
  decideApplication,
  insertApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import { insertClientSecret } from '../../packages/server/src/identity/oauth/client-secrets.ts';
import { issueCode } from '../../packages/server/src/identity/oauth/families.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import { createOauth } from '../../packages/server/src/interfaces/edges/listeners/oauth.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import { createSchemaWatch } from '../../packages/server/src/platform/storage/newer-schema.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { offerOf } from '../signed-list/installation.ts';
import { introduce } from './rival.ts';

const { db } = openStorage(process.argv[2]!);
const ids = createIdSource(systemClock);
const redirectUri = 'https://platform.example/callback';
const scopes = 3;
const lifetimes = {
  codeMs: 1_800_000,
  accessTokenMs: 86_400_000,
  refreshTokenMs: 2_592_000_000,
  benignMs: 2000,
};

const { ownerId: accountId } = await db
  .selectFrom('plant')
  .select('ownerId')
  .executeTakeFirstOrThrow();
const act = { at: systemClock.now(), actor: 'operator', address: null, newId: ids } as const;
const client = await db.transaction().execute(async (trx) => {
  const { application } = await insertApplication(trx, act, {
    name: `Benchmark ${ids()}`,
    redirectUri,
    scopes: ['access_data', 'control_device'],
  });
  await decideApplication(trx, act, application.id, 'approved');
  const grantId = await recordConsent(trx, act, {
    accountId,
    applicationId: application.id,
    asked: scopes,
    approved: scopes,
    plantIds: null,
  });
  return { application, grantId, clientSecret: await insertClientSecret(trx, act, application) };
});

const server = await createOauth({
  ...offerOf(db),
  schema: createSchemaWatch({ db, onNewer() {} }),
  config: {
    oauthUrl: 'http://127.0.0.1',
    portalUrl: 'http://127.0.0.1:8082',
    portalServed: false,
    smtpUrl: null,
    signUp: false,
    trustedProxies: [],
    rateLimit: 1_000_000,
    authFailureLimit: 60,
    oauthCodeSeconds: 1800,
    oauthAccessTokenSeconds: 86_400,
    oauthRefreshTokenSeconds: 2_592_000,
    oauthBenignReuseSeconds: 2,
    oauthIssuerParameter: true,
  },
  ids,
  factors: { secretBox: createSecretBox(Buffer.alloc(32, 7)), passkeys: undefined },
  metrics: new Registry(),
});
await server.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.server.address() as AddressInfo;
const { application, grantId, clientSecret } = client;
introduce(
  {
    port,
    clientId: application.clientId,
    clientSecret,
    redirectUri,
    paths: { token: '/oauth/token', revoke: '/oauth/revoke', introspect: '/oauth/introspect' },
  },
  () =>
    db.transaction().execute((trx) =>
      issueCode(trx, systemClock.now(), lifetimes, {
        grantId,
        applicationId: application.id,
        accountId,
        scopes,
        redirectUri,
        challenge: '',
      }),
    ),
);
