import { connect, type Socket } from 'node:net';

export interface Load {
  port: number;
  /** One whole request with `Connection: keep-alive`, or the next one of a connection. */
  request: string | ((connection: number) => string);
  connections: number;
  milliseconds: number;
}

/** Sends requests over a number of connections, one at a time on each; resolves to the number of answers with 200 per second. */
export async function requestsPerSecond({
  port,
  request,
  connections,
  milliseconds,
}: Load): Promise<number> {
  const same = typeof request === 'string' ? Buffer.from(request) : undefined;
  let answered = 0;
  let running = true;
  const begun = performance.now();
  const drive = (_: unknown, i: number): Promise<void> => {
    const next = (): Buffer | string => same ?? (request as (connection: number) => string)(i);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () =>
      socket.write(next()),
    );
    let received = 0;
    let expected = 0;
    socket.on('data', (chunk) => {
      if (expected === 0) expected = lengthOf(chunk);
      received += chunk.length;
      if (received < expected) return;
      received = 0;
      answered += 1;
      if (running) socket.write(next());
      else socket.end();
    });
    socket.on('error', reject).on('close', () => resolve());
    return promise;
  };
  const drivers = Array.from({ length: connections }, drive);
  setTimeout(() => (running = false), milliseconds);
  await Promise.all(drivers);
  return (answered / (performance.now() - begun)) * 1000;
}

// All answers of a run have the same length: they differ only in request ids and dates, whose lengths are fixed.
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1');
  const end = head.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || end < 0 || length === undefined)
    throw new Error(`unexpected answer: ${head.slice(0, 500)}`);
  return end + 4 + Number(length);
}
