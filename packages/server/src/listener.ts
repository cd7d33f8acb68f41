import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { Config, Role } from './config/load.ts';
import { environmentName } from './config/schema.ts';

/** What an edge gives: a Fastify instance, or a plain server in the same shape. */
export interface Listener {
  readonly server: Server;
  listen(options: { host: string; port: number }): Promise<unknown>;
  /** Takes no new connection and resolves when the last request is answered. */
  close(): Promise<unknown>;
}

type PartName = Role | 'ops';
type PortSetting = Extract<keyof Config, `${string}Port`>;

/** A listener under its name, with the setting of its port. */
export interface Part {
  readonly name: PartName;
  readonly setting: PortSetting;
  readonly listener: Listener;
}

/** Base addresses of the listeners that run. */
export type Addresses = { readonly [Name in PartName]?: string };

/** Why the product cannot start, one sentence a line, for the person who starts it. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}

/**
 * Listens on all ports.
 * @throws StartFault with every port and address that cannot be had
 */
export async function listenAll(parts: readonly Part[], config: Config): Promise<Addresses> {
  const results = await Promise.allSettled(parts.map(({ listener, setting }) => listener.listen({ host: config.host, port: config[setting] })));
  const faults = results.flatMap((result, i) => (result.status === 'rejected' ? [sentenceOf(result.reason, config, parts[i]!.setting)] : []));
  if (faults.length > 0) throw new StartFault([...new Set(faults)].join('\n'));
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return Object.fromEntries(parts.map(({ name, listener }) => [name, `http://${host}:${(listener.server.address() as AddressInfo).port}`]));
}

function sentenceOf(error: unknown, { host, ...ports }: Config, setting: PortSetting): string {
  const port = ports[setting];
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use by another process: set ${environmentName(setting)} to another one`;
    case 'EACCES':
      return `port ${port} may not be opened by this user: set ${environmentName(setting)} to one from 1024`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: set ${environmentName('host')} to one that is`;
    default:
      throw error;
  }
}

/** Closes without cutting a request, but cuts what is not answered in time. */
export async function closeWithin(listener: Listener, limitMs: number): Promise<void> {
  const timer = setTimeout(() => listener.server.closeAllConnections(), limitMs);
  try {
    await listener.close();
  } finally {
    clearTimeout(timer);
  }
}
