/**
 * The checksum of Modbus RTU, sent low byte first. Modbus over Serial Line 1.02, section 6.2.2. P1 begins with 0; SML has another
 * polynomial, here with its lowest bit first.
 */
export function crc16(bytes: Uint8Array, first = 0xffff, polynomial = 0xa001): number {
  let crc = first;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
  }
  return crc;
}

/** The bytes with their checksum. */
export function withCrc(bytes: Uint8Array): Buffer {
  const crc = crc16(bytes);
  return Buffer.concat([bytes, Buffer.of(crc & 0xff, crc >> 8)]);
}

/** Whether the last two bytes are the checksum of those before. */
export const isCrcRight = (frame: Uint8Array): boolean =>
  frame.length > 2 && crc16(frame.subarray(0, -2)) === (frame.at(-2)! | (frame.at(-1)! << 8));
