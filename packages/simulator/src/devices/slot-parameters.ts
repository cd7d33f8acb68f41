/** Ids of the parameters of six time slots: switches, times, currents, and the states of charge at which the slots end. */
export interface SlotParameters {
  readonly firstSwitch: number;
  readonly times: readonly number[];
  readonly currents: readonly number[];
  readonly ends: readonly number[];
}

export const CHARGE: SlotParameters = {
  firstSwitch: 5916,
  times: [5946, 5949, 5952, 5955, 5958, 5961],
  currents: [5948, 5951, 5954, 5957, 5960, 5963],
  ends: [5928, 5929, 5930, 5931, 5932, 5933],
};

export const DISCHARGE: SlotParameters = {
  firstSwitch: 5922,
  times: [5964, 5968, 5972, 5976, 5980, 5987],
  currents: [5967, 5971, 5975, 5979, 5983, 5986],
  ends: [5965, 5969, 5973, 5977, 5981, 5984],
};
