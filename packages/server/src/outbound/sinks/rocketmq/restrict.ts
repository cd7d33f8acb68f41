import { promises as dns } from 'node:dns';
import { isIP, isIPv6, Socket, type SocketConnectOpts } from 'node:net';

interface Judges {
  mayConnect(address: string): boolean;
  /** Rejects if the name may not be reached. */
  resolve(host: string): Promise<readonly string[]>;
}

/**
 * Has every connection of this thread judged, no matter who opens it. The official client connects to whatever hosts a broker's route answer names,
 * and its gRPC library also reads `unix:/path` there. Both look names up, and connect, through the functions that are replaced here.
 */
export function restrictConnections({ mayConnect, resolve }: Judges): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the socket below
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    // `net.connect` hands over what it was called with as a list.
    const [options] = (Array.isArray(args[0]) ? args[0] : args) as [SocketConnectOpts?];
    if (
      typeof options === 'object' &&
      'host' in options &&
      !('path' in options) &&
      isIP(options.host ?? '') !== 0 &&
      mayConnect(options.host!)
    ) {
      return Reflect.apply(connect, this, args) as Socket;
    }
    return this.destroy(new Error('the broker names a host that may not be reached'));
  };
  dns.lookup = (async (host: string) =>
    (await resolve(host)).map((address) => ({
      address,
      family: isIPv6(address) ? 6 : 4,
    }))) as unknown as typeof dns.lookup;
}
