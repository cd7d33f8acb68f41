import type { ModbusRequest } from './modbus-pdu.ts';

/** Something that a peer has sent. */
export type Arrival =
  /** An answer; `isCurrent`: its number is that of the last request, or the framing has no numbers. */
  | {
      readonly kind: 'answer';
      readonly unit: number;
      readonly pdu: Buffer;
      readonly isCurrent: boolean;
    }
  /** A message that must be answered with `bytes`, and is no answer to a request. */
  | { readonly kind: 'greeting'; readonly bytes: Buffer }
  /** Bytes that belong to no frame. */
  | { readonly kind: 'noise' }
  /** What follows can no longer be divided into frames. */
  | { readonly kind: 'broken' };

/** How requests and answers are put on a connection: a pure parser of a stream, one for each connection. */
export interface Framing {
  /** Whether answers carry a number that tells to which request they belong. */
  readonly isNumbered: boolean;
  /** Whether a part of a frame has arrived and the rest has not. */
  readonly isInside: boolean;
  encode(request: ModbusRequest): Buffer;
  take(bytes: Buffer): Arrival[];
}

export type CreateFraming = () => Framing;
