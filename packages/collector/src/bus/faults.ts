/** Names of Modbus exceptions, by code. Modbus Application Protocol 1.1b3, section 7. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'device failure',
  5: 'acknowledge',
  6: 'device busy',
  7: 'negative acknowledge',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target does not respond',
};

/** The device has refused a request, with an exception of Modbus. */
export class ModbusException extends Error {
  override readonly name = 'ModbusException';
  readonly code: number;

  constructor(code: number) {
    super(`the device answers exception ${code} (${NAMES[code] ?? 'unknown'})`);
    this.code = code;
  }
}

/**
 * Why an exchange brought no answer. `closed`: the host accepts no connection; `unreachable`: there is no way to it;
 * `silent`: no answer in time; `ended`: it closed the connection; `stray`: what came was no answer to the request;
 * `stopped`: this side gave up.
 */
export type BusFaultKind = 'closed' | 'unreachable' | 'silent' | 'ended' | 'stray' | 'stopped';

/** An exchange without an answer. */
export class BusFault extends Error {
  override readonly name = 'BusFault';
  readonly kind: BusFaultKind;

  constructor(kind: BusFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
