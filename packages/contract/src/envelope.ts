import type { ErrorCode } from './error-codes.ts';
import { errors } from './errors.ts';

/** The form of every answer of the resource interfaces (interface W3). */
export interface Envelope<Data = unknown> {
  success: boolean;
  /** `"0"` or a code of the error registry; always a string, since clients compare it as one. */
  code: string;
  msg: string;
  data: Data;
}

/** The answer to a successful call. */
export const successEnvelope = <Data>(data: Data): Envelope<Data> => ({
  success: true,
  code: '0',
  msg: 'success',
  data,
});

/** The answer to a successful call, as JSON text; `data` is JSON text already. `beside`: further members. */
export const successText = (data: string, beside: Readonly<Record<string, string>> = {}): string =>
  `{"success":true,"code":"0","msg":"success","data":${data}${Object.entries(beside)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')}}`;

/** The answer to a refused call. */
export const errorEnvelope = (
  name: ErrorCode,
  message: string = errors[name].message,
  data: unknown = null,
): Envelope => ({
  success: false,
  code: errors[name].code,
  msg: message,
  data,
});
