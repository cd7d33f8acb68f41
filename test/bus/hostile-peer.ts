import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { isCrcRight, withCrc } from '../../packages/collector/src/bus/crc16.ts';
import {
  createV5Parser,
  encodeV5,
  V5_CODES,
} from '../../packages/collector/src/solarman/v5-frame.ts';

/** What a peer does with one answer. */
export type Trick =
  | 'honest'
  | 'late'
  | 'doubled'
  | 'doubledLater'
  | 'crossed'
  | 'broken'
  | 'truncated'
  | 'silent'
  | 'garbage'
  | 'sliced'
  | 'otherUnit'
  | 'hangUp'
  | 'heartbeat'
  | 'exception';

export type Wire = 'tcp' | 'rtu' | 'v5';

/** The word at an address: each has another one, so that no two can be mistaken. */
export const wordAt = (fn: number, address: number): number =>
  ((address * 40_503 + fn * 9_973) ^ (address >> 3)) & 0xffff;

export interface HostilePeer {
  readonly port: number;
  /** Requests that were written to. */
  readonly written: { readonly address: number; readonly words: number[] }[];
  readonly connections: number;
  stop(): Promise<void>;
}

interface Question {
  /** The transaction or sequence number. */
  readonly number: number;
  readonly unit: number;
  readonly pdu: Buffer;
}

export const STICK = 2_700_000_001;

/** A device that answers as `trick` says, asked once for each request. `lateMs`: how late late answers are. */
export async function startHostilePeer(
  wire: Wire,
  trick: (question: Question) => Trick,
  lateMs: number,
): Promise<HostilePeer> {
  const sockets = new Set<Socket>();
  const written: { address: number; words: number[] }[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    const questionsIn = questionParser(wire);
    let before: Buffer | undefined;
    socket.on('data', (chunk: Buffer) => {
      for (const question of questionsIn(chunk)) {
        const answer = encode(wire, question, answerOf(question, written));
        play(socket, question, answer, before);
        before = answer;
      }
    });
  });

  function play(
    socket: Socket,
    question: Question,
    answer: Buffer,
    before: Buffer | undefined,
  ): void {
    // A gateway gives what comes late to the client that is connected by then.
    const later = (bytes: Buffer): void =>
      void setTimeout(() => {
        for (const one of wire === 'rtu' ? sockets : [socket]) one.write(bytes);
      }, lateMs);
    const ways: Record<Trick, () => void> = {
      honest: () => socket.write(answer),
      late: () => later(answer),
      doubled: () => socket.write(Buffer.concat([answer, answer])),
      doubledLater() {
        socket.write(answer);
        later(answer);
      },
      crossed: () => socket.write(before ?? answer),
      broken() {
        const bytes = Buffer.from(answer);
        bytes[wire === 'tcp' ? 3 : bytes.length - 3]! ^= 0x5a;
        socket.write(bytes);
      },
      truncated: () => socket.write(answer.subarray(0, answer.length - 3)),
      silent() {},
      garbage() {
        socket.write(wire === 'tcp' ? answer : Buffer.from('+ok=AT\r\n\xa5\x03\x01', 'latin1'));
        if (wire !== 'tcp') socket.write(answer);
      },
      sliced() {
        for (const byte of answer) socket.write(Buffer.of(byte));
      },
      otherUnit() {
        socket.write(
          encode(wire, { ...question, unit: question.unit ^ 7 }, answerOf(question, [])),
        );
        socket.write(answer);
      },
      hangUp: () => socket.destroy(),
      heartbeat() {
        if (wire === 'v5')
          socket.write(
            encodeV5({
              code: V5_CODES.heartbeat,
              askerNumber: 1,
              stickNumber: 9,
              serial: STICK,
              payload: Buffer.of(0),
            }),
          );
        socket.write(answer);
      },
      exception: () => socket.write(encode(wire, question, Buffer.of(question.pdu[0]! | 0x80, 6))),
    };
    ways[trick(question)]();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    written,
    get connections() {
      return connections;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerOf({ pdu }: Question, written: { address: number; words: number[] }[]): Buffer {
  const [fn = 0] = pdu;
  const [address, count] = [pdu.readUInt16BE(1), pdu.readUInt16BE(3)];
  if (fn === 6) {
    written.push({ address, words: [count] });
    return pdu;
  }
  if (fn === 16) {
    const words = Array.from({ length: count }, (_, i) => pdu.readUInt16BE(6 + 2 * i));
    written.push({ address, words });
    return pdu.subarray(0, 5);
  }
  const body = Buffer.alloc(2 * count);
  for (let i = 0; i < count; i++) body.writeUInt16BE(wordAt(fn, address + i), 2 * i);
  return Buffer.concat([Buffer.of(fn, body.length), body]);
}

function encode(wire: Wire, { number, unit }: Question, pdu: Buffer): Buffer {
  if (wire === 'tcp') {
    const head = Buffer.alloc(7);
    head.writeUInt16BE(number, 0);
    head.writeUInt16BE(pdu.length + 1, 4);
    head.writeUInt8(unit, 6);
    return Buffer.concat([head, pdu]);
  }
  const rtu = withCrc(Buffer.concat([Buffer.of(unit), pdu]));
  if (wire === 'rtu') return rtu;
  const payload = Buffer.concat([Buffer.of(2, 1), Buffer.alloc(12), rtu]);
  const { response: code } = V5_CODES;
  return encodeV5({ code, askerNumber: number, stickNumber: 1, serial: STICK, payload });
}

function questionParser(wire: Wire): (chunk: Buffer) => Question[] {
  if (wire === 'v5') {
    const parser = createV5Parser();
    return (chunk) =>
      parser
        .take(chunk)
        .filter(({ code }) => code === V5_CODES.request)
        .map(({ askerNumber, payload }) => {
          const rtu = payload.subarray(15);
          return { number: askerNumber, unit: rtu[0]!, pdu: rtu.subarray(1, -2) };
        });
  }
  let kept = Buffer.alloc(0);
  return (chunk) => {
    kept = Buffer.concat([kept, chunk]);
    const questions: Question[] = [];
    for (;;) {
      const head = wire === 'tcp' ? 7 : 1;
      if (kept.length < head + 5) return questions;
      const body = kept[head] === 16 ? 6 + (kept[head + 5] ?? Infinity) : 5;
      const end = head + body + (wire === 'tcp' ? 0 : 2);
      if (kept.length < end) return questions;
      const frame = kept.subarray(0, end);
      kept = kept.subarray(end);
      if (wire === 'rtu' && !isCrcRight(frame)) continue;
      questions.push({
        number: wire === 'tcp' ? frame.readUInt16BE(0) : 0,
        unit: frame[head - 1]!,
        pdu: frame.subarray(head, head + body),
      });
    }
  };
}
