import type { Socket } from 'node:net';

const PIECE_BYTES = 64 * 1024;
/** Of UTF-8 for one unit of a string. */
const LETTER_BYTES = 3;
/** Most parts of a message are shorter: to copy them one by one takes less time than the call that copies many. */
const SHORT = 32;

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
    makeRoom(typeof part === 'string' ? part.length * LETTER_BYTES : part.length);
    to += part.length < SHORT ? copyShort(part, piece, to) : copyLong(part, piece, to);
    if (!isAwaited) {
      isAwaited = true;
      setImmediate(flush);
    }
    return !socket.writableNeedDrain;
  };
  // Without `cork`, the library does not ask for a turn of its own for each message.
  Object.assign(socket, { write: gather, cork: undefined, end: () => end(gathered()) });
}

/** Copies a part; returns how many bytes it has there. */
function copyLong(part: string | Uint8Array, to: Buffer, at: number): number {
  if (typeof part === 'string') return to.write(part, at);
  to.set(part, at);
  return part.length;
}

function copyShort(part: string | Uint8Array, to: Buffer, at: number): number {
  if (typeof part !== 'string') {
    for (let i = 0; i < part.length; i++) to[at + i] = part[i]!;
    return part.length;
  }
  for (let i = 0; i < part.length; i++) {
    const letter = part.charCodeAt(i);
    if (letter > 0x7f) return to.write(part, at);
    to[at + i] = letter;
  }
  return part.length;
}
