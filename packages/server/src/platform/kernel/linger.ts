import type { Socket } from 'node:net';

/** How much is still read from a peer that is sending, in bytes, and for how long, in milliseconds. */
export interface LingerLimits {
  readonly bytes: number;
  readonly ms: number;
}

/**
 * Ends a connection so that its peer can read what was written last. A socket that is closed with data unread resets the connection, and a reset makes
 * the peer drop what it has not read yet; so what it is still sending is read and dropped for a while (RFC 9112, 9.6). Resolves when it is closed.
 */
export function endLingering(socket: Socket, limits: LingerLimits): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  let left = limits.bytes;
  const late = setTimeout(() => socket.destroy(), limits.ms);
  return new Promise((resolve) => {
    socket
      .once('close', () => {
        clearTimeout(late);
        resolve();
      })
      .on('error', () => {})
      .on('data', ({ length }: Buffer) => {
        left -= length;
        if (left < 0) socket.destroy();
      })
      .end();
    socket.resume();
  });
}
