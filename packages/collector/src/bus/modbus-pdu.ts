import { ModbusException } from './faults.ts';

/** Functions: 1 reads coils, 2 discrete inputs, 3 holding registers, 4 input registers; 6 writes one word, 16 several. */
export type ReadFunction = 1 | 2 | 3 | 4;
export type WriteFunction = 6 | 16;

/** One request to one unit of a bus; addresses count from 0, as on the wire. */
export type ModbusRequest =
  | {
      readonly unit: number;
      readonly fn: ReadFunction;
      readonly address: number;
      /** Number of words, or of bits for functions 1 and 2, each of which is read as a word of 0 or 1. */
      readonly count: number;
    }
  | {
      readonly unit: number;
      readonly fn: WriteFunction;
      readonly address: number;
      readonly words: readonly number[];
    };

/** The largest number of words in one request. */
export const WORDS_AT_MOST = 125;
export const WRITTEN_AT_MOST = 123;

/** The request without unit, number and checksum. Throws RangeError for what no device can be asked. */
export function pduOf(request: ModbusRequest): Buffer {
  const { fn, address } = request;
  const words = 'words' in request ? request.words : undefined;
  const count = words?.length ?? ('count' in request ? request.count : 0);
  const most = words ? (fn === 6 ? 1 : WRITTEN_AT_MOST) : WORDS_AT_MOST;
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new RangeError(`function ${fn} takes 1 to ${most} words, not ${count}`);
  if (!Number.isInteger(address) || address < 0 || address + count > 0x10000)
    throw new RangeError(`registers ${address} to ${address + count - 1} do not exist`);
  const head = Buffer.alloc(5);
  head.writeUInt8(fn, 0);
  head.writeUInt16BE(address, 1);
  if (!words) {
    head.writeUInt16BE(count, 3);
    return head;
  }
  const body = Buffer.alloc(2 * count);
  for (const [i, word] of words.entries()) body.writeUInt16BE(word, 2 * i);
  if (fn === 6) return Buffer.concat([head.subarray(0, 3), body]);
  head.writeUInt16BE(count, 3);
  return Buffer.concat([head, Buffer.of(body.length), body]);
}

/**
 * The words that answer a request (those written, for a write); undefined if the bytes answer another request.
 * Throws ModbusException. `isNumbered`: a number has shown already that the answer belongs to the request, so that a
 * write may be confirmed by its beginning alone, as some sticks do.
 */
export function answerTo(
  request: ModbusRequest,
  pdu: Buffer,
  isNumbered: boolean,
): number[] | undefined {
  if (pdu.length === 2 && pdu[0] === (request.fn | 0x80)) throw new ModbusException(pdu[1]!);
  if (pdu[0] !== request.fn) return undefined;
  if ('count' in request) {
    const bytes = bytesOf(request);
    if (pdu[1] !== bytes || pdu.length !== 2 + bytes) return undefined;
    return Array.from({ length: request.count }, (_, i) =>
      isBits(request.fn) ? (pdu[2 + (i >> 3)]! >> (i & 7)) & 1 : pdu.readUInt16BE(2 + 2 * i),
    );
  }
  const echo = pduOf(request).subarray(0, 5);
  const said = isNumbered ? echo.subarray(0, Math.min(pdu.length, 5)) : echo;
  return pdu.equals(said) ? [...request.words] : undefined;
}

const isBits = (fn: number): boolean => fn === 1 || fn === 2;

const bytesOf = ({ fn, count }: { readonly fn: number; readonly count: number }): number =>
  isBits(fn) ? Math.ceil(count / 8) : 2 * count;

/** Two requests with the same shape have answers that look alike. */
export const shapeOf = (request: ModbusRequest): string =>
  'count' in request
    ? `${request.unit}/${request.fn}/${bytesOf(request)}`
    : `${request.unit}/${request.fn}/${request.address}`;
