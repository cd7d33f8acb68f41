import type { Socket } from 'node:net';
import { packet } from './packets.ts';

/** A broker that grants every subscription, and refuses those whom `refuses` says. */
export const standInBroker =
  (refuses: () => boolean) =>
  (socket: Socket): void =>
    void socket
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        for (let at = 0; at < chunk.length; at += 2 + chunk[at + 1]!) {
          const type = chunk[at]! >> 4;
          if (type === 1) {
            const isRefused = refuses();
            socket.write(packet(0x20, Buffer.from([0, isRefused ? 0x87 : 0, 0])));
            if (isRefused) socket.end();
          } else if (type === 8)
            socket.write(packet(0x90, Buffer.from([chunk[at + 2]!, chunk[at + 3]!, 0, 1, 1, 1])));
          else if (type === 10)
            socket.write(packet(0xb0, Buffer.from([chunk[at + 2]!, chunk[at + 3]!, 0, 0, 0, 0])));
          else if (type === 14) socket.end();
        }
      });
