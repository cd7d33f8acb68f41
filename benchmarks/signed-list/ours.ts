// The signed interface as the product serves it, with its own defaults but for the rate, which no benchmark may meet.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createObservability } from '../../packages/server/src/edges/http/observability.ts';
import { createUserApi } from '../../packages/server/src/edges/user-api/plugin.ts';
import { systemClock } from '../../packages/server/src/kernel/clock.ts';
import { isStorageAway } from '../../packages/server/src/storage/away.ts';
import { openStorage } from '../../packages/server/src/storage/open.ts';
import { contractOperations, handlersOf, secretBox } from './installation.ts';

const { db } = openStorage(process.argv[2]!);
const server = await createUserApi({
  config: {
    userApiUrl: 'http://127.0.0.1',
    signatureProfile: 'compatible',
    replayGuard: 'writes',
    rateLimit: 1_000_000,
    authFailureLimit: 60,
    trustedProxies: [],
  },
  clock: systemClock,
  db,
  secretBox,
  operations: contractOperations,
  handlers: handlersOf(db),
  observability: createObservability({ logger: pino({ level: 'info' }), registry: new Registry() }),
  isReady: async () => true,
  isUnavailable: isStorageAway,
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.send!(server.server.address());
process.on('message', () => process.send!(process.cpuUsage()));
