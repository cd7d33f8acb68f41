import type { Reason } from './reasons.ts';

/** The peer sent something that MQTT, or this broker, does not allow. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export const malformed = (message: string): Violation => new Violation('malformed', message);
export const protocolError = (message: string): Violation =>
  new Violation('protocolError', message);
