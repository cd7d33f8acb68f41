import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { freePort } from '../../support/free-port.ts';

/** How a peer fails: refuses connections, keeps them silent, answers nonsense, or breaks them off after the first bytes. */
export type Fault = 'refuse' | 'hang' | 'nonsense' | 'cut';

export const faults = ['refuse', 'hang', 'nonsense', 'cut'] as const satisfies readonly Fault[];

/** The way to a peer, with the faults that peers and networks have. */
export interface Gate {
  readonly port: number;
  /** Connections that were accepted so far. */
  readonly accepted: number;
  /** Connections that are open. */
  readonly open: number;
  fail(fault: Fault): Promise<void>;
  /** Holds whatever is sent back for a while, from now on. */
  slowDown(ms: number): void;
  heal(): Promise<void>;
  close(): Promise<void>;
}

export async function openGate(targetPort: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let fault: Fault | undefined;
  let delayMs = 0;
  let accepted = 0;

  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer({ noDelay: true }, (socket) => {
    accepted += 1;
    keep(socket);
    if (fault === 'hang') return void socket.resume();
    if (fault === 'nonsense')
      return void socket
        .resume()
        .write(Buffer.from('SSH-2.0-nonsense\r\n\u0000\u00ff'.repeat(20), 'latin1'));
    const behind = keep(connect({ port: targetPort, host: '127.0.0.1', noDelay: true }));
    socket.on('close', () => behind.destroy());
    behind.on('close', () => socket.destroy());
    if (fault !== 'cut')
      return void socket
        .pipe(behind)
        .pipe(createDelay(() => delayMs))
        .pipe(socket);
    socket.once('data', () => socket.destroy());
  });
  const cut = async (): Promise<void> => {
    const closing = [...sockets].map((socket) => once(socket.destroy(), 'close'));
    await Promise.all(closing);
  };
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const port = await freePort();
  await listen(port);

  return {
    port,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    async fail(next) {
      fault = next;
      if (fault === 'refuse') server.close();
      // Open connections stand still as well.
      if (fault === 'hang') for (const socket of sockets) socket.unpipe().pause();
      else await cut();
    },
    slowDown(ms) {
      delayMs = ms;
    },
    async heal() {
      await cut();
      delayMs = 0;
      if (fault === 'refuse') await listen(port);
      fault = undefined;
    },
    async close() {
      server.close();
      await cut();
    },
  };
}

const createDelay = (ms: () => number): Transform =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      if (ms() === 0) return done(null, chunk);
      setTimeout(done, ms(), null, chunk);
    },
  });
