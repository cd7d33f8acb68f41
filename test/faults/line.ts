import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can fail as networks do. */
export interface Line {
  /** The server's address by this way. */
  readonly url: string;
  /** Nothing comes any more, on old connections and new ones: a machine or a network stands still. */
  freeze(): void;
  /** Connections that are open stay so and are silent in both directions, new ones work: a fail-over, or a forgotten NAT entry. */
  forget(): void;
  close(): void;
}

export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let frozen = false;
  const proxy = createServer((socket) => {
    const behind = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      sockets.add(one.on('error', () => {}));
      one.once('close', () => {
        // Nobody hears of it on a line that is cut.
        if (sockets.delete(one)) other.destroy();
      });
    }
    if (frozen) socket.pause();
    else socket.pipe(behind).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: Object.assign(new URL(url), {
      port: String((proxy.address() as AddressInfo).port),
      hostname: '127.0.0.1',
    }).href,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    forget() {
      for (const socket of sockets) socket.unpipe().resume();
      sockets.clear();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
