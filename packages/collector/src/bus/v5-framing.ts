import type { Clock } from '../clock.ts';
import {
  answerToGreeting,
  createV5Parser,
  encodeV5,
  isGreeting,
  V5_CODES,
  type V5Frame,
} from '../solarman/v5-frame.ts';
import { isCrcRight, withCrc } from './crc16.ts';
import type { Arrival, Framing } from './framing.ts';
import { pduOf, type ModbusRequest } from './modbus-pdu.ts';
import { rtuLength } from './rtu-framing.ts';

export interface V5FramingOptions {
  /** Serial number of the stick; 0 if it is not known: some sticks answer all the same, and tell it. */
  readonly serial: number;
  /** The number of the first request; best random, since other clients count as well. */
  readonly first: number;
  readonly clock: Clock;
  /** Called with the serial number that an answer tells, if it is not that which was asked. */
  readonly onSerial?: (serial: number) => void;
}

const RESPONSE_HEAD = 14;
const INVERTER = 2;

/** Modbus RTU inside V5, as sticks speak it on port 8899. */
export function createV5Framing({ serial, first, clock, onSerial }: V5FramingOptions): Framing {
  const parser = createV5Parser();
  let number = (first - 1) & 0xff;
  let asked: ModbusRequest | undefined;
  let known = serial;

  function arrivalOf(frame: V5Frame): Arrival {
    if (isGreeting(frame))
      return { kind: 'greeting', bytes: answerToGreeting(frame, clock.now() / 1000) };
    const isMine = known === 0 || frame.serial === known;
    if (!isMine && frame.serial !== 0) onSerial?.(frame.serial);
    if (frame.code !== V5_CODES.response || frame.payload[0] !== INVERTER || !isMine || !asked)
      return { kind: 'noise' };
    const isCurrent = frame.askerNumber === number;
    if (isCurrent && known === 0 && frame.serial !== 0) onSerial?.((known = frame.serial));
    const inner = frame.payload.subarray(RESPONSE_HEAD);
    // Sticks refuse by themselves with the bare code of the exception.
    if (inner.length > 0 && inner.length < 5)
      return {
        kind: 'answer',
        unit: asked.unit,
        pdu: Buffer.of(asked.fn | 0x80, inner[0]!),
        isCurrent,
      };
    // Some add a second checksum.
    const whole = inner.subarray(0, rtuLength(inner) ?? 0);
    if (!isCrcRight(whole)) return { kind: 'noise' };
    return { kind: 'answer', unit: whole[0]!, pdu: whole.subarray(1, -2), isCurrent };
  }

  return {
    isNumbered: true,
    get isInside() {
      return parser.isInside;
    },
    encode(request) {
      asked = request;
      number = (number + 1) & 0xff;
      return encodeV5(v5Request(request, number, known));
    },
    take(bytes) {
      const before = parser.skipped;
      const arrived = parser.take(bytes).map(arrivalOf);
      return parser.skipped === before ? arrived : [{ kind: 'noise' }, ...arrived];
    },
  };
}

/** A request to a stick, in its frame. */
function v5Request(request: ModbusRequest, askerNumber: number, serial: number): V5Frame {
  const inner = withCrc(Buffer.concat([Buffer.of(request.unit), pduOf(request)]));
  const payload = Buffer.concat([Buffer.of(INVERTER), Buffer.alloc(14), inner]);
  return { code: V5_CODES.request, askerNumber, stickNumber: 0, serial, payload };
}
