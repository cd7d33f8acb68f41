import type { FastifyInstance } from 'fastify';
import { envelopeRenderer } from '../http/errors.ts';
import type { Link } from '../http/front.ts';
import type { Observability } from '../http/observability.ts';
import { networkLimit } from '../http/route-limit.ts';
import type { Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import { createHttpServer } from '../http/server.ts';
import { gateway, type GatewayDeps } from '../gateway/plugin.ts';
import type { OpenBuckets } from '../../../platform/kernel/token-buckets.ts';

/** Settings of the gateway. */
export interface GatewayConfig {
  /** Its public address. */
  readonly gatewayUrl: string;
  readonly trustedProxies: readonly string[];
}

export interface GatewayListenerDeps extends GatewayDeps {
  /** Where requests are counted for limits. */
  readonly buckets: OpenBuckets;
  readonly config: GatewayConfig;
  readonly observability: Observability;
  /** The other listeners that `/` links to. */
  readonly elsewhere?: readonly Link[];
  readonly isReady: () => Promise<boolean>;
  readonly schema: Outdated;
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The listener that collectors report to and obey. */
export async function createGateway(deps: GatewayListenerDeps): Promise<FastifyInstance> {
  const { config, observability, elsewhere = [], isReady, isUnavailable, schema } = deps;
  const server = createHttpServer({
    listener: 'gateway',
    observability,
    front: {
      title: 'Helioport, gateway',
      text: 'Collectors use their token here to send reports (POST /v1/readings) and to fetch commands for their devices (GET /v1/commands).',
      links: elsewhere,
    },
    isReady,
    isUnavailable,
    schema,
    publicUrl: config.gatewayUrl,
    networkLimit: networkLimit(deps, null),
    trustedProxies: config.trustedProxies,
    bodies: 'streamed',
    renderFailure: envelopeRenderer({
      wwwAuthenticate: ({ code }) => (code === 'notAuthenticated' ? 'Bearer' : undefined),
    }),
  });
  await server.register(gateway(deps));
  await server.ready();
  return server;
}
