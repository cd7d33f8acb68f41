import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/kernel/addresses/networks.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { OpenBuckets } from '../../../platform/kernel/token-buckets.ts';
import { observedHandler } from './observability.ts';

/**
 * What limits the requests of a route. `caller`: its handler counts each request for the caller that was identified, before it does anything for them; an answer without
 * that is refused. `network`: requests are counted for the network that they come from, before anything is done. `collector`: reports and calls are counted per collector (collectors/limits/limit.ts). `not`: nothing, and why.
 */
export type RouteLimit = 'caller' | 'network' | 'collector' | { readonly not: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route has one; a listener does not start with a route that has none. */
    readonly limit?: RouteLimit;
  }
}

export interface NetworkLimit {
  readonly buckets: OpenBuckets;
  /** Requests per second to one route from one network; null = no limit. */
  readonly perSecond: number | null;
}

/** So many times what one caller may ask: many people share a network, and callers of all kinds begin as strangers. */
const NETWORK_FACTOR = 20;

/** The limit of networks that follows from the limit of callers (HELIOPORT_RATE_LIMIT). */
export const networkLimit = (
  { buckets }: { readonly buckets: OpenBuckets },
  rateLimit: number | null,
): NetworkLimit => ({
  buckets,
  perSecond: rateLimit === null ? null : rateLimit * NETWORK_FACTOR,
});

const counted = new WeakSet<FastifyReply>();

/** Notes that a request was counted for its caller. */
export const noteCounted = (reply: FastifyReply): void => void counted.add(reply);

/** A route of a listener, and what limits it. */
export interface LimitedRoute {
  readonly method: string;
  readonly url: string;
  readonly limit: RouteLimit;
}

const routes = new WeakMap<FastifyInstance['server'], LimitedRoute[]>();

/** All routes of a listener. */
export const routesOf = ({ server }: FastifyInstance): readonly LimitedRoute[] =>
  routes.get(server) ?? [];

/** Has every route of a listener limited. */
export function limitRoutes(
  server: FastifyInstance,
  { buckets: open, perSecond }: NetworkLimit,
): void {
  const known: LimitedRoute[] = [];
  routes.set(server.server, known);
  const countFor = (url: string) => {
    const rate = { capacity: perSecond!, refillPerSecond: perSecond! };
    const buckets = open(`network ${url}`, rate);
    return async ({ ip }: FastifyRequest): Promise<void> => {
      const { granted, retryAfterSeconds } = await buckets.take(networkOf(ip));
      if (!granted)
        throw new Failure('tooManyRequests', {
          data: { retryAfterSeconds },
          message: `too many requests from this network: ${perSecond} per second`,
        });
    };
  };
  // The methods of a path count together.
  const counts = new Map<string, ReturnType<typeof countFor>>();

  server.addHook('onRoute', (route) => {
    const { url, method, config, onRequest = [] } = route;
    const limit = config?.limit;
    if (!limit) throw new Error(`nothing limits ${String(method)} ${url}`);
    for (const one of [method].flat()) known.push({ method: one, url, limit });
    if (limit !== 'network' || perSecond === null) return;
    const count = counts.get(url) ?? countFor(url);
    counts.set(url, count);
    route.onRequest = [count, ...[onRequest].flat()];
  });
  server.addHook('onSend', ({ routeOptions: { config, url } }, reply, payload, done) => {
    // Some refusals have status 200; they say so by their outcome.
    const isRefusal = reply.statusCode >= 400 || !/^0?$/.test(observedHandler(reply).outcome);
    const isForgotten = config.limit === 'caller' && !isRefusal && !counted.has(reply);
    if (isForgotten) done(new Error(`${url!} was answered without being counted`));
    else done(null, payload);
  });
}
