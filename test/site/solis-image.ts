import type { Registers } from '../bus/modbus-server.ts';
import { ascii, high } from '../devices/registers/image.ts';

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

/** A storage inverter of Solis at noon: 4,321 W from its panels, 3,890 W to the house, 250 W into its battery. */
export const solisImage = (sn: string): Registers[number] => ({
  4: {
    33000: [0x2031, 0x21, 0x4b00, 0],
    33004: [...ascii(sn, 16), ...zeros(9)],
    33029: [...high(12_345), ...high(321), ...high(654), 187, 165, ...high(4321), 0, 0, 250, 0, 0],
    33049: [3123, 70, 3011, 71, 0, 0, 0, 0, ...high(4321)],
    33071: [4021, 2010, 2398, 2401, 2385, 52, 51, 50, ...high(3890), ...high(37), ...high(3900)],
    33085: [0, 0, 0, 0, 0, 0, 0, 0, 387, 4998, 3],
    33096: zeros(30),
    33126: [0, 0, 2400, 45, ...high(120)],
    33132: [0x21, 512, 52, 0, 0, 2301, 12, 68, 99, 5120, 240, 500, 600, 0, 0],
    33147: [1512, 230, ...high(250), ...high(3890), ...zeros(8)],
    33161: [...high(3456), 71, 80, ...high(3210), 64, 70, ...high(5678), 23, 25],
    33173: [...high(789), 12, 14, ...high(8765), 95, 99],
    33250: [1, ...zeros(12)],
    33263: [...high(120), ...zeros(18)],
    33283: [...high(567_812), ...high(78_934)],
    35000: [0x2031],
  },
  3: { 43000: [26, 11, 28, 12, 0, 0, ...zeros(60)], 43066: zeros(60), 43126: zeros(66) },
});
