/**
 * What no profile may write, whatever it says: settings that decide how a device protects the grid, and the people around it.
 * They are in the code, so that the file of a profile cannot allow them.
 */
type Ranges = readonly (readonly [from: number, to: number])[];

/** Holding registers by maker. A maker without a list has no parameters in registers. */
const registers: Readonly<Record<string, Ranges>> = {
  Solis: [[43249, 43249]],
  Deye: [
    // String inverters: limits of voltage and frequency, derating, islanding, ground fault, insulation.
    [27, 35],
    [46, 50],
    // Three phases.
    [138, 138],
    [182, 188],
    // One phase.
    [285, 290],
  ],
  // The tables of the grid standards.
  Sofar: [[0x0800, 0x0fff]],
};

/** Control ids of the maker's public list: grid codes, trip and restart limits, curves, derating, fault detection. */
const ids: Ranges = [
  [13, 14],
  [19, 21],
  [44, 45],
  [178, 178],
  [262, 270],
  [277, 278],
  [347, 351],
  [354, 357],
  [363, 364],
  [375, 375],
  [378, 443],
  [446, 453],
  [471, 497],
  [516, 516],
  [532, 537],
  [555, 571],
  [594, 594],
  [603, 613],
  [809, 810],
];

const isWithin = (ranges: Ranges, number: number): boolean =>
  ranges.some(([from, to]) => number >= from && number <= to);

/** Whether the id of a parameter stands for a protection. */
export const isProtection = (id: string | number): boolean => isWithin(ids, Number(id));

/** The addresses among `addresses` that must never be written on a device of the maker; all of them if the maker is unknown. */
export const neverWritten = (maker: string, addresses: readonly number[]): readonly number[] =>
  Object.hasOwn(registers, maker)
    ? addresses.filter((address) => isWithin(registers[maker]!, address))
    : addresses;
