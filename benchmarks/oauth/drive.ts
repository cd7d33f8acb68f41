import { connect } from 'node:net';

/** Sends each request once over a number of connections, one at a time on each; resolves to the answers' bodies in the order of arrival, and requests per second. */
export async function drive(
  port: number,
  requests: readonly string[],
  connections: number,
): Promise<{ bodies: string[]; perSecond: number }> {
  const bodies: string[] = [];
  let next = 0;
  const begun = performance.now();
  const connection = (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let received = '';
    let current = -1;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => send());
    const send = (): void => {
      if (next >= requests.length) return void socket.end();
      current = next++;
      received = '';
      socket.write(requests[current]!);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!received.startsWith('HTTP/1.1 200'))
        return void socket.destroy(new Error(`unexpected answer: ${received.slice(0, 600)}`));
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      bodies[current] = received.slice(end + 4);
      send();
    });
    socket.on('error', reject).on('close', () => resolve());
    return promise;
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { bodies, perSecond: (requests.length / (performance.now() - begun)) * 1000 };
}
