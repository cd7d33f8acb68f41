import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export const V4_SERIAL = 602_000_001;

/** A frame of a stick, by the description of its places: numbers by place and width, high byte first. */
function frameOf(
  length: number,
  code: number,
  sn: string,
  numbers: readonly (readonly [at: number, bytes: 2 | 4, raw: number])[],
): Buffer {
  const frame = Buffer.alloc(length + 14);
  frame.set([0x68, length, code >> 8, code & 0xff]);
  for (const at of [4, 8]) frame.writeUInt32LE(V4_SERIAL, at);
  frame[12] = 0x81;
  frame.write(sn, 15, 'latin1');
  for (const [at, bytes, raw] of numbers) frame.writeUIntBE(raw, at, bytes);
  frame[frame.length - 2] = frame.subarray(1, -2).reduce((sum, byte) => (sum + byte) & 0xff, 0);
  frame[frame.length - 1] = 0x16;
  return frame;
}

/** The long form, of an inverter with two phases and two inputs. */
export const omnikFrame = (sn = 'NLDN1520150001'): Buffer =>
  frameOf(0xa9, 0x41b0, sn, [
    [31, 2, 415],
    [33, 2, 3201],
    [35, 2, 2987],
    [37, 2, 0xffff],
    [39, 2, 51],
    [41, 2, 47],
    [43, 2, 0xffff],
    [45, 2, 66],
    [47, 2, 31],
    [49, 2, 0xffff],
    [51, 2, 2345],
    [53, 2, 2338],
    [55, 2, 0xffff],
    [57, 2, 4999],
    [59, 2, 1500],
    [63, 2, 700],
    [67, 2, 0xffff],
    [69, 2, 512],
    [71, 4, 123_456],
  ]);

/** The short form, by Ginlong. */
export const ginlongFrame = (sn = '000608111111-001'): Buffer =>
  frameOf(0x59, 0x51b0, sn, [
    [31, 2, 263],
    [33, 2, 1966],
    [35, 2, 2327],
    [39, 2, 50],
    [41, 2, 48],
    [45, 2, 83],
    [51, 2, 2420],
    [57, 2, 4994],
    [59, 2, 2008],
    [69, 2, 140],
    [71, 4, 25_240],
  ]);

/** The text that follows the last frame. */
export const TEXT = Buffer.from('\x68\x0f\x41\xf0DATA SEND IS OK\r\n\x23\x16', 'latin1');

export interface V4Stick {
  readonly port: number;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A stick that is asked: it answers to one code, and to nobody who does not know its number. */
export async function startV4Stick(
  answer: () => readonly Buffer[],
  code: '41b1' | '4030' = '41b1',
): Promise<V4Stick> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      asked.push(bytes.toString('hex'));
      if (bytes.toString('hex', 2, 4) !== code || bytes.readUInt32LE(4) !== V4_SERIAL) return;
      // In pieces, as a stream has them.
      for (const frame of answer()) {
        socket.write(frame.subarray(0, 40));
        socket.write(frame.subarray(40));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
