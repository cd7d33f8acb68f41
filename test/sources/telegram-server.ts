import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A reader of a meter that passes telegrams on, again and again, to every client. */
export interface TelegramServer {
  readonly port: number;
  /** How many are connected, and have been. */
  readonly open: number;
  readonly connections: number;
  /** Ends all connections. */
  drop(): void;
  close(): Promise<void>;
}

export async function startTelegramServer(
  next: () => Buffer,
  { everyMs = 100, host = '127.0.0.1' } = {},
): Promise<TelegramServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    const write = (): void => void socket.write(next());
    write();
    const timer = setInterval(write, everyMs);
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    get open() {
      return sockets.size;
    },
    get connections() {
      return connections;
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
