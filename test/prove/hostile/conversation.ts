import { connect, type Socket } from 'node:net';
import type { Wire } from './wire.ts';

export interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Talks to a port over one connection as long as it lives, and over a new one when it does not. */
export interface Conversation {
  /** All answers that came; none when the peer closed without one. */
  say(wire: Wire): Promise<readonly Answered[]>;
  end(): void;
}

/** How long a request whose end is not clear may stay without an answer. */
const PATIENCE_MS = 150;

export function createConversation(port: number): Conversation {
  let socket: Socket | undefined;
  return {
    async say(wire) {
      if (!wire.framed || !socket || socket.destroyed || !socket.writable) {
        socket?.destroy();
        socket = connect({ port, host: '127.0.0.1', noDelay: true });
      }
      const answers = await exchange(socket, wire);
      if (!wire.framed) socket.destroy();
      return answers;
    },
    end: () => socket?.destroy(),
  };
}

function exchange(socket: Socket, { bytes, framed, head }: Wire): Promise<readonly Answered[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Answered[]>();
  const chunks: Buffer[] = [];
  const finish = (): void => {
    clearTimeout(timer);
    socket.removeAllListeners('data').removeAllListeners('close');
    resolve(answersIn(Buffer.concat(chunks), head).answers);
  };
  const timer = setTimeout(finish, framed ? 30_000 : PATIENCE_MS);
  socket.removeAllListeners('error').on('error', () => {});
  socket.on('close', finish).on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (framed && answersIn(Buffer.concat(chunks), head).complete) finish();
  });
  socket.write(bytes);
  return promise;
}

function answersIn(received: Buffer, head: boolean): { answers: Answered[]; complete: boolean } {
  const answers: Answered[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { answers, complete: answers.length > 0 && rest.length === 0 };
    const header = rest.toString('latin1', 0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(header)?.[1]);
    const length =
      head || status < 200 ? 0 : Number(/^content-length: (\d+)$/im.exec(header)?.[1] ?? 0);
    const body = rest.toString('utf8', end + 4, end + 4 + length);
    if (rest.length < end + 4 + length)
      return { answers: [...answers, { status, body }], complete: false };
    if (status >= 200) answers.push({ status, body });
    rest = rest.subarray(end + 4 + length);
  }
}
