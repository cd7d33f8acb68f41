import type { Values } from '@helioport/contract';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Two percentages whose last value is reported, which together count the rounds. */
const COUNTED = 33_139;
const STEPS = 100;

/** A device over Modbus TCP whose state of charge and of health count how often they were read. */
export interface CountingDevice {
  readonly port: number;
  /** How many rounds have begun; the one before is over. */
  readonly begun: number;
  close(): Promise<void>;
}

/** The count that a reading shows; undefined if it has none. */
export const countOf = (values: Values): number | undefined => {
  const { batterySocPercent: low, batterySohPercent: high } = values;
  return low === undefined || high === undefined ? undefined : (high - 1) * STEPS + low - 1;
};

/** Passes requests on to a device, and changes two words of its answers. */
export async function countRounds(devicePort: number): Promise<CountingDevice> {
  const sockets = new Set<Socket>();
  let count = 0;

  function counted(answer: Buffer, offset: number): void {
    count++;
    answer.writeUInt16BE((count % STEPS) + 1, 9 + 2 * offset);
    answer.writeUInt16BE(Math.floor(count / STEPS) + 1, 11 + 2 * offset);
  }

  const server = createServer((asker) => {
    const device = connect(devicePort, '127.0.0.1');
    let offset = -1;
    for (const socket of [asker, device]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        asker.destroy();
        device.destroy();
      });
    }
    // The collector asks one thing at a time.
    asker.on('data', (request: Buffer) => {
      const isRead = request.length === 12 && request[7] === 4;
      const [address, words] = isRead
        ? [request.readUInt16BE(8), request.readUInt16BE(10)]
        : [0, 0];
      offset = address <= COUNTED && address + words > COUNTED + 1 ? COUNTED - address : -1;
      device.write(request);
    });
    device.on('data', (answer: Buffer) => {
      if (offset >= 0 && answer[7] === 4) counted(answer, offset);
      asker.write(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get begun() {
      return count;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
