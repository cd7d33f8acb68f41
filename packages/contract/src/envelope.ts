import { errors, type ErrorCode } from './errors.ts';

/** What every answer of the resource interfaces looks like (interface W3). */
export interface Envelope<Data = unknown> {
  success: boolean;
  /** `"0"` or a code of the error registry; always a string, clients compare it as one. */
  code: string;
  msg: string;
  data: Data;
}

/** The answer to a call that worked. */
export const successEnvelope = <Data>(data: Data): Envelope<Data> => ({ success: true, code: '0', msg: 'success', data });

/** The answer to a call that worked, as JSON text; `data` is JSON text already. */
export const successText = (data: string): string => `{"success":true,"code":"0","msg":"success","data":${data}}`;

/** The answer to a refused call. */
export const errorEnvelope = (name: ErrorCode, message: string = errors[name].message, data: unknown = null): Envelope => ({
  success: false,
  code: errors[name].code,
  msg: message,
  data,
});
