import type { Arrival, Framing } from './framing.ts';
import { pduOf } from './modbus-pdu.ts';

/** Modbus TCP: transaction number, protocol 0, length, unit. MODBUS Messaging on TCP/IP 1.0b, section 3.1.3 */
export function createTcpFraming(first = 1): Framing {
  let number = first - 1;
  let kept = Buffer.alloc(0);
  return {
    isNumbered: true,
    get isInside() {
      return kept.length > 0;
    },
    encode(request) {
      const pdu = pduOf(request);
      const head = Buffer.alloc(7);
      number = (number + 1) & 0xffff;
      head.writeUInt16BE(number, 0);
      head.writeUInt16BE(pdu.length + 1, 4);
      head.writeUInt8(request.unit, 6);
      return Buffer.concat([head, pdu]);
    },
    take(bytes) {
      kept = Buffer.concat([kept, bytes]);
      const arrived: Arrival[] = [];
      while (kept.length >= 6) {
        const length = kept.readUInt16BE(4);
        if (kept.readUInt16BE(2) !== 0 || length < 2 || length > 254) {
          kept = Buffer.alloc(0);
          arrived.push({ kind: 'broken' });
          break;
        }
        if (kept.length < 6 + length) break;
        arrived.push({
          kind: 'answer',
          unit: kept.readUInt8(6),
          pdu: kept.subarray(7, 6 + length),
          isCurrent: kept.readUInt16BE(0) === number,
        });
        kept = kept.subarray(6 + length);
      }
      return arrived;
    },
  };
}
