import { createSocket, type Socket } from 'node:dgram';
import type { Pause } from '../../clock.ts';

/** A stick that has said who it is. */
export interface Hello {
  readonly host: string;
  /** Serial number; 0 if it does not tell. */
  readonly serial: number;
}

const PORT = 48_899;
/** Questions that the two kinds of firmware know. */
const QUESTIONS = ['WIFIKIT-214028-READ', 'HF-A11ASSISTHREAD'] as const;
const ANSWER = /^(\d{1,3}(?:\.\d{1,3}){3}),([0-9A-Fa-f:]{12,17}),(\w{0,32})$/;

/** Reads `IP,MAC,SERIAL`; undefined for anything else. */
export function readHello(text: string): Hello | undefined {
  const [, host, , name = ''] = ANSWER.exec(text.trim()) ?? [];
  if (host === undefined) return undefined;
  const serial = /^\d{1,10}$/.test(name) ? Number(name) : 0;
  return { host, serial: serial <= 0xffff_ffff ? serial : 0 };
}

/** Asks sticks over UDP. */
export interface HelloSocket {
  ask(host: string): void;
  /** Answers so far, by host. */
  readonly found: ReadonlyMap<string, Hello>;
  close(): void;
}

export function openHelloSocket(onHello: (hello: Hello) => void = () => {}): Promise<HelloSocket> {
  const found = new Map<string, Hello>();
  const socket: Socket = createSocket('udp4');
  socket.on('error', () => {});
  socket.on('message', (message, { address }) => {
    const hello = readHello(message.toString('latin1'));
    // The host that answers counts: what it says of itself may be the address in another network.
    if (!hello || found.has(address)) return;
    found.set(address, { ...hello, host: address });
    onHello({ ...hello, host: address });
  });
  return new Promise((resolve) => {
    socket.bind(0, () => {
      socket.setBroadcast(true);
      resolve({
        found,
        ask(host) {
          for (const question of QUESTIONS) socket.send(question, PORT, host, () => {});
        },
        close: () => socket.close(),
      });
    });
  });
}

const WAIT_MS = 1_000;

/** The serial number of one stick; 0 if it does not answer, as newer firmware does not. */
export async function askSerial(host: string, pause: Pause): Promise<number> {
  const heard = new AbortController();
  const socket = await openHelloSocket(() => heard.abort());
  try {
    socket.ask(host);
    await pause(WAIT_MS, heard.signal).catch(() => {});
    return [...socket.found.values()][0]?.serial ?? 0;
  } finally {
    socket.close();
  }
}
