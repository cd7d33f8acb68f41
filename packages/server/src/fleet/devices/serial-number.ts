// Commas are excluded, since requests name several serial numbers in one text.
const SERIAL_NUMBER = /^[!-+\--~]{1,64}$/;

/** Whether a text can be a serial number. Serial numbers are case-sensitive. */
export const isSerialNumber = (sn: unknown): sn is string =>
  typeof sn === 'string' && SERIAL_NUMBER.test(sn);

/** What `isSerialNumber` accepts, for messages. */
export const SERIAL_NUMBER_FORM =
  'a serial number of at most 64 printable characters without spaces and commas';

/** Why a value is not a serial number. */
export const SERIAL_NUMBER_FAULT = `sn must be ${SERIAL_NUMBER_FORM}`;
