import type { Setback } from './link.ts';

/** The server does not accept a report. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  readonly setback: Setback;

  constructor(setback: Setback) {
    super(setback.reason);
    this.setback = setback;
  }
}
