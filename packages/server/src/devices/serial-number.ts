// No comma: requests name several in one text.
const SERIAL_NUMBER = /^[!-+\--~]{1,64}$/;

/** What a serial number may be; its case counts. */
export const isSerialNumber = (sn: unknown): sn is string => typeof sn === 'string' && SERIAL_NUMBER.test(sn);

/** What `isSerialNumber` takes, for messages. */
export const SERIAL_NUMBER_FORM = 'a serial number of at most 64 printable characters without spaces and commas';

/** Why something is none. */
export const SERIAL_NUMBER_FAULT = `sn must be ${SERIAL_NUMBER_FORM}`;
