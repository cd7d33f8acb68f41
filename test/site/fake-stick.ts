import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { withCrc } from '../../packages/collector/src/bus/crc16.ts';
import {
  createV5Parser,
  encodeV5,
  V5_CODES,
} from '../../packages/collector/src/solarman/v5-frame.ts';
import type { Registers } from '../bus/modbus-server.ts';

/** Answers requests of V5 as the stick of an inverter with these registers does. */
function answering(tables: Registers[number], serial: number, socket: Socket): void {
  const words = new Map<string, number>();
  for (const [table, runs] of Object.entries(tables))
    for (const [address, run] of Object.entries(runs))
      for (const [i, word] of run.entries()) words.set(`${table}/${Number(address) + i}`, word);
  const parser = createV5Parser();
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    for (const { code, askerNumber, payload, serial: asked } of parser.take(bytes)) {
      if (code !== V5_CODES.request || (asked !== serial && asked !== 0)) continue;
      const rtu = payload.subarray(15);
      const [unit = 0, fn = 0] = rtu;
      const [address, count] = [rtu.readUInt16BE(2), rtu.readUInt16BE(4)];
      let pdu: Buffer;
      if (fn === 6) {
        words.set(`3/${address}`, count);
        pdu = rtu.subarray(1, 6);
      } else {
        const found = Array.from({ length: count }, (_, i) => words.get(`${fn}/${address + i}`));
        const body = Buffer.alloc(2 * count);
        for (const [i, word] of found.entries()) body.writeUInt16BE(word ?? 0, 2 * i);
        pdu = found.includes(undefined)
          ? Buffer.of(fn | 0x80, 2)
          : Buffer.concat([Buffer.of(fn, body.length), body]);
      }
      const inner = withCrc(Buffer.concat([Buffer.of(unit), pdu]));
      socket.write(
        encodeV5({
          code: V5_CODES.response,
          askerNumber,
          stickNumber: 1,
          serial,
          payload: Buffer.concat([Buffer.of(2, 1), Buffer.alloc(12), inner]),
        }),
      );
    }
  });
}

export interface FakeStick {
  /** Most connections at once. */
  readonly together: number;
  stop(): Promise<void>;
}

/** A stick on port 8899 that also tells over UDP who it is. */
export async function startStick(
  host: string,
  serial: number,
  tables: Registers[number],
): Promise<FakeStick> {
  const sockets = new Set<Socket>();
  let together = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    together = Math.max(together, sockets.size);
    socket.once('close', () => sockets.delete(socket));
    answering(tables, serial, socket);
  });
  server.listen(8899, host);
  await once(server, 'listening');
  const udp = createSocket('udp4');
  udp.on('message', (_, { port, address }) =>
    udp.send(`${host},AABBCCDDEEFF,${serial}`, port, address),
  );
  udp.bind(48_899, host);
  await once(udp, 'listening');
  return {
    get together() {
      return together;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
      udp.close();
    },
  };
}

/** A stick that connects by itself, and answers over that connection. */
export async function connectStick(
  port: number,
  serial: number,
  tables: Registers[number],
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  answering(tables, serial, socket);
  return socket;
}
