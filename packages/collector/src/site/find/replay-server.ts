import { createServer, type Socket } from 'node:net';
import type { Table } from '@helioport/devices';
import type { Capture } from './capture.ts';

/** Serves a capture as a device over Modbus TCP; what is written lasts as long as it does. */
export interface ReplayServer {
  readonly port: number;
  close(): Promise<void>;
}

const TABLES: Readonly<Record<number, Table>> = {
  3: 'holding',
  4: 'input',
  6: 'holding',
  16: 'holding',
};

export async function replay(
  { tables }: Capture,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ReplayServer> {
  const words = new Map<Table, Map<number, number>>();
  for (const [table, runs] of Object.entries(tables) as [Table, Record<string, number[]>][]) {
    const known = new Map<number, number>();
    for (const [address, run] of Object.entries(runs))
      for (const [i, word] of run.entries()) known.set(Number(address) + i, word);
    words.set(table, known);
  }

  function answer(pdu: Buffer): Buffer {
    const fn = pdu[0] ?? 0;
    const refuse = (code: number): Buffer => Buffer.of(fn | 0x80, code);
    const table = TABLES[fn];
    if (!table) return refuse(1);
    if (pdu.length < 5) return refuse(3);
    const known = words.get(table) ?? new Map<number, number>();
    const [address, second] = [pdu.readUInt16BE(1), pdu.readUInt16BE(3)];
    const count = fn === 6 ? 1 : second;
    const addresses = Array.from({ length: count }, (_, i) => address + i);
    if (count < 1 || count > 125) return refuse(3);
    if (addresses.some((one) => !known.has(one))) return refuse(2);
    if (fn === 6) known.set(address, second);
    else if (fn === 16) {
      if (pdu.length !== 6 + 2 * count) return refuse(3);
      for (const [i, one] of addresses.entries()) known.set(one, pdu.readUInt16BE(6 + 2 * i));
    } else {
      const body = Buffer.alloc(2 * count);
      for (const [i, one] of addresses.entries()) body.writeUInt16BE(known.get(one)!, 2 * i);
      return Buffer.concat([Buffer.of(fn, body.length), body]);
    }
    return pdu.subarray(0, 5);
  }

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let kept = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (bytes: Buffer) => {
      kept = Buffer.concat([kept, bytes]);
      while (kept.length >= 8) {
        const length = kept.readUInt16BE(4);
        if (length < 2 || length > 254) return void socket.destroy();
        if (kept.length < 6 + length) return;
        const head = Buffer.from(kept.subarray(0, 7));
        const pdu = answer(kept.subarray(7, 6 + length));
        head.writeUInt16BE(pdu.length + 1, 4);
        socket.write(Buffer.concat([head, pdu]));
        kept = kept.subarray(6 + length);
      }
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
