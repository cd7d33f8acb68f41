import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { Config } from './config/load.ts';
import { environmentName } from './config/schema.ts';
import { StartFault } from './start-fault.ts';

/** What an edge gives: a Fastify instance, or a plain server in the same shape. */
export interface Listener {
  readonly server: Server;
  listen(options: { host: string; port: number }): Promise<unknown>;
  /** Takes no new connection and resolves when the last request is answered. */
  close(): Promise<unknown>;
}

type PortSetting = { [Name in keyof Config]: Name extends `${string}Port` ? Name : never }[keyof Config];

/**
 * Listens and gives the base address.
 * @throws StartFault when the port or the address cannot be had
 */
export async function listen(listener: Listener, config: Config, setting: PortSetting): Promise<string> {
  const { host } = config;
  const port = config[setting];
  try {
    await listener.listen({ host, port });
  } catch (error) {
    throw listenFault(error as NodeJS.ErrnoException, host, port, setting);
  }
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${(listener.server.address() as AddressInfo).port}`;
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number, setting: PortSetting): unknown {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartFault(`port ${port} on ${host} is in use by another process: set ${environmentName(setting)} to another one`);
    case 'EACCES':
      return new StartFault(`port ${port} may not be opened by this user: set ${environmentName(setting)} to one from 1024`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFault(`${host} is not an address of this machine: set ${environmentName('host')} to one that is`);
    default:
      return error;
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
