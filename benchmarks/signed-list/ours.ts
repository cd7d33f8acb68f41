// The signed interface as the product serves it, with its defaults except for the rate limit, which benchmarks must not reach.
import { createUserApi } from '../../packages/server/src/interfaces/edges/listeners/user.ts';
import { createSchemaWatch } from '../../packages/server/src/platform/storage/newer-schema.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { offerOf, secretBox } from './installation.ts';

const { db } = openStorage(process.argv[2]!);
const server = await createUserApi({
  ...offerOf(db),
  schema: createSchemaWatch({ db, onNewer() {} }),
  config: {
    userApiUrl: 'http://127.0.0.1',
    signatureProfile: 'compatible',
    replayGuard: 'writes',
    rateLimit: 1_000_000,
    authFailureLimit: 60,
    trustedProxies: [],
  },
  secretBox,
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.send!(server.server.address());
process.on('message', () => process.send!(process.cpuUsage()));
