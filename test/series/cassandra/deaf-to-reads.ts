import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const HEADER_BYTES = 9;
const [RESULT, PREPARE, EXECUTE] = [0x08, 0x09, 0x0a];
const PREPARED = 4;

/** One message of the protocol of version 4. */
interface Frame {
  readonly opcode: number;
  readonly stream: number;
  readonly body: Buffer;
  readonly whole: Buffer;
}

/** A node behind which only writes arrive: it stands before a real one and swallows the reads of all but the system's tables. */
export async function startDeafNode(
  port: number,
): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const node = connect(port, '127.0.0.1');
    for (const socket of [client, node]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('close', () => node.destroy());
    node.on('close', () => client.destroy());
    const asked = new Map<number, string>();
    const reads = new Set<string>();
    client.on(
      'data',
      framing(({ opcode, stream, body, whole }) => {
        if (opcode === PREPARE) asked.set(stream, body.subarray(4).toString());
        if (
          opcode === EXECUTE &&
          reads.has(body.subarray(2, 2 + body.readUInt16BE(0)).toString('hex'))
        )
          return;
        node.write(whole);
      }),
    );
    node.on(
      'data',
      framing(({ opcode, stream, body, whole }) => {
        const query = asked.get(stream);
        if (opcode === RESULT && query !== undefined && body.readInt32BE(0) === PREPARED) {
          asked.delete(stream);
          if (/^select (?!.* from system)/s.test(query))
            reads.add(body.subarray(6, 6 + body.readUInt16BE(4)).toString('hex'));
        }
        client.write(whole);
      }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function framing(take: (frame: Frame) => void): (chunk: Buffer) => void {
  let waiting = Buffer.alloc(0);
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + waiting.readUInt32BE(5);
      if (waiting.length < end) return;
      const whole = waiting.subarray(0, end);
      waiting = waiting.subarray(end);
      take({
        opcode: whole[4]!,
        stream: whole.readInt16BE(2),
        body: whole.subarray(HEADER_BYTES),
        whole,
      });
    }
  };
}
