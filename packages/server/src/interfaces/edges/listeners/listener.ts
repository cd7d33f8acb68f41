import type { AddressInfo } from 'node:net';
import type { Config, ProcessRole } from '../../../platform/config/load.ts';
import { environmentName } from '../../../platform/config/schema.ts';

/** The server that an edge provides: a Fastify instance, or a plain server with the same interface. */
export interface Listener {
  readonly server: {
    address(): AddressInfo | string | null;
    closeAllConnections(): void;
  };
  listen(options: { host: string; port: number }): Promise<unknown>;
  /** Reads again what may have been renewed: certificates. Throws if they cannot be used; the former ones stay. */
  reload?(): void;
  /** Takes nothing more from collectors that stay connected: another version has the database. Health is still answered. */
  retire?(): Promise<void>;
  /** Accepts no new connections, and resolves when the last request is answered. */
  close(): Promise<void>;
}

export type ListenerPartName = ProcessRole | 'mqtt' | 'ops';
type PortSetting = Extract<keyof Config, `${string}Port`>;

/** A listener under its name, with the setting of its port. */
export interface ListenerPart {
  readonly name: ListenerPartName;
  readonly setting: PortSetting;
  readonly listener: Listener;
  /** Of its address. */
  readonly scheme?: 'mqtt' | 'mqtts';
}

/** Base addresses of the running listeners. */
export type Addresses = { readonly [Name in ListenerPartName]?: string };

/** Why the product cannot start, in one sentence for the person who starts it. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}

/**
 * Listens on all ports, on one after the other: processes that share any free port find it by the order in which they ask for one.
 * @throws StartFault naming every unavailable port or address
 */
export async function listenAll(
  parts: readonly ListenerPart[],
  config: Config,
): Promise<Addresses> {
  const failed: { readonly error: NodeJS.ErrnoException; readonly setting: PortSetting }[] = [];
  for (const { listener, setting } of parts) {
    await listener
      .listen({ host: config[hostOf(setting)], port: config[setting] })
      .catch((error: NodeJS.ErrnoException) => failed.push({ error, setting }));
  }
  if (failed[0]) {
    const { error } = failed[0];
    const settings = failed
      .filter(
        (other) =>
          other.error.code === error.code && hostOf(other.setting) === hostOf(failed[0]!.setting),
      )
      .map(({ setting }) => setting);
    throw faultOf(error, config, settings);
  }
  return Object.fromEntries(
    parts.map(({ name, setting, listener, scheme = 'http' }) => {
      const host = config[hostOf(setting)];
      const { port } = listener.server.address() as AddressInfo;
      return [name, `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`];
    }),
  );
}

/** The setting of the address that a listener binds to. */
const hostOf = (setting: PortSetting): 'host' | 'opsHost' =>
  setting === 'opsPort' ? 'opsHost' : 'host';

function faultOf(
  error: NodeJS.ErrnoException,
  config: Config,
  settings: readonly PortSetting[],
): unknown {
  const hostSetting = hostOf(settings[0]!);
  const host = config[hostSetting];
  const named = settings
    .map((setting) => `${config[setting]} (${environmentName(setting)})`)
    .join(', ');
  const plural = settings.length > 1;
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartFault(
        `${plural ? 'ports' : 'port'} ${named} on ${host} ${plural ? 'are' : 'is'} in use by another process`,
      );
    case 'EACCES':
      return new StartFault(
        `${plural ? 'ports' : 'port'} ${named} may not be opened by this user: use ports from 1024 on`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFault(
        `${host} is not an address of this machine: set ${environmentName(hostSetting)} to one that is`,
      );
    default:
      return error;
  }
}

/** Closes without interrupting requests, except those not answered in time. */
export async function closeWithin(listener: Listener, limitMs: number): Promise<void> {
  const timer = setTimeout(() => listener.server.closeAllConnections(), limitMs);
  try {
    await listener.close();
  } finally {
    clearTimeout(timer);
  }
}
