import type { Socket } from 'node:net';

const PIECE_BYTES = 64 * 1024;
/** Of UTF-8 for one unit of a string. */
const LETTER_BYTES = 3;

/**
 * Has a socket send in one piece what is written to it within a turn of the event loop. The library writes a message in some fifty parts, and each answer to
 * an acknowledgement on its own: queueing and sending them took as long as making them.
 */
export function gatherWrites(socket: Socket): void {
  const write = socket.write.bind(socket);
  const end = socket.end.bind(socket);
  let piece = Buffer.allocUnsafe(0);
  let [from, to] = [0, 0];
  let isAwaited = false;

  function gathered(): Uint8Array {
    const part = piece.subarray(from, to);
    from = to;
    return part;
  }

  function flush(): void {
    isAwaited = false;
    if (to > from) write(gathered());
  }

  /** Makes room for so many bytes. What was handed over may still be read. */
  function makeRoom(bytes: number): void {
    if (to === from && to > 0 && socket.writableLength === 0) from = to = 0;
    if (piece.length - to >= bytes) return;
    flush();
    piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes));
    from = to = 0;
  }

  const gather = (part: string | Uint8Array): boolean => {
    if (typeof part === 'string') {
      makeRoom(part.length * LETTER_BYTES);
      to += piece.write(part, to);
    } else {
      makeRoom(part.length);
      piece.set(part, to);
      to += part.length;
    }
    if (!isAwaited) {
      isAwaited = true;
      setImmediate(flush);
    }
    return !socket.writableNeedDrain;
  };
  Object.assign(socket, { write: gather, cork() {}, uncork() {}, end: () => end(gathered()) });
}
