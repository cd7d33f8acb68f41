import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import {
  createV5Parser,
  encodeV5,
  V5_CODES,
} from '../../packages/collector/src/solarman/v5-frame.ts';

export const STICK = 2_700_000_077;

/** A stick: passes what arrives in V5 on to a server of Modbus RTU over TCP, as real ones do to a serial line. */
export async function startStickBridge(
  port: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const line = connect(port, '127.0.0.1');
    for (const one of [socket, line]) {
      sockets.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        socket.destroy();
        line.destroy();
      });
    }
    const parser = createV5Parser();
    let askerNumber = 0;
    socket.on('data', (bytes: Buffer) => {
      for (const frame of parser.take(bytes)) {
        if (frame.code !== V5_CODES.request || frame.serial !== STICK) continue;
        askerNumber = frame.askerNumber;
        line.write(frame.payload.subarray(15));
      }
    });
    line.on('data', (bytes: Buffer) =>
      socket.write(
        encodeV5({
          code: V5_CODES.response,
          askerNumber,
          stickNumber: 1,
          serial: STICK,
          payload: Buffer.concat([Buffer.of(2, 1), Buffer.alloc(12), bytes]),
        }),
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
