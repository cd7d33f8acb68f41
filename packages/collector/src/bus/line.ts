import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { BusFault } from './faults.ts';

/** An open connection to a bus: bytes in both directions. */
export interface Line {
  send(bytes: Buffer): void;
  close(): void;
}

export interface LineEvents {
  onBytes(bytes: Buffer): void;
  onEnd(): void;
}

/** Opens a line. Rejects with BusFault. */
export type Dial = (events: LineEvents, signal: AbortSignal) => Promise<Line>;

/** A line over TCP. */
export function dialTcp(host: string, port: number): Dial {
  const name = `${host}:${port}`;
  return (events, signal) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, keepAlive: true });
      const give = (fault: BusFault): void => {
        socket.destroy();
        reject(fault);
      };
      const abort = (): void => give(new BusFault('unreachable', `${name} does not answer`));
      signal.addEventListener('abort', abort, { once: true });
      socket.once('error', (error: NodeJS.ErrnoException) => give(connectFault(name, error)));
      socket.once('connect', () => {
        signal.removeEventListener('abort', abort);
        resolve(lineOver(socket, events));
      });
    });
}

/** A line over a stream that is already open. */
export function lineOver(stream: Duplex, events: LineEvents): Line {
  let isOpen = true;
  const end = (): void => {
    stream.destroy();
    if (!isOpen) return;
    isOpen = false;
    events.onEnd();
  };
  stream.on('data', (bytes: Buffer) => isOpen && events.onBytes(bytes));
  // An error is followed by `close`.
  stream.on('error', () => {});
  stream.once('end', end);
  stream.once('close', end);
  return {
    send: (bytes) => void (isOpen && stream.write(bytes)),
    close() {
      isOpen = false;
      stream.destroy();
    },
  };
}

function connectFault(name: string, cause: NodeJS.ErrnoException): BusFault {
  if (cause.code === 'ECONNREFUSED')
    return new BusFault('closed', `${name} is closed: nothing listens on this port`, { cause });
  if (cause.code === 'ECONNRESET' || cause.code === 'EPIPE')
    return new BusFault('ended', `${name} ends the connection at once`, { cause });
  if (cause.code === 'ENOTFOUND' || cause.code === 'EAI_AGAIN')
    return new BusFault('unreachable', `${name}: no host has this name`, { cause });
  return new BusFault('unreachable', `${name} cannot be reached (${cause.code ?? cause.message})`, {
    cause,
  });
}
