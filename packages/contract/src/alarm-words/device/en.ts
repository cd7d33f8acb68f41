/** What to do about alarms that devices report, by what is the matter. One module for each language. */
export const deviceAdvice = {
  grid: 'If it lasts longer than an outage in your street, check the breaker of the inverter. If that is not the cause, call your installer. For your installer: check voltage and frequency at its terminals and the grid code that is set.',
  insulation:
    'Do not touch the modules or their cables, and call your installer. For your installer: switch off, and measure the insulation of each string and the leakage current.',
  arc: 'Switch off the DC switch of the inverter and call your installer: an arc can start a fire. For your installer: check the connectors and terminals of the strings.',
  heat: 'Check whether the sun shines on the housing, or something covers its air inlets. If it persists, call your installer. For your installer: check the fan and the distances to walls.',
  battery:
    'Check whether the battery is switched on. If it is, call your installer. For your installer: check its breaker, its cables and what its management shows.',
  meter:
    'Call your installer if it persists: without its meter, the inverter does not know what the house uses. For your installer: check the cable to the meter, its address and its type in the inverter.',
  fan: 'Check whether something blocks the fan. If not, call your installer, who replaces it.',
  clock:
    'Times at which something is to happen are wrong. Set the clock of the device, or let the collector do it with “control: true”.',
  sign: 'Import and export, or charging and discharging, may be shown the wrong way round. For your installer: check how the meter or its clamp is mounted.',
  reverted:
    'The device did not keep a setting. Look whether another program, such as the maker’s cloud, changes it, or whether the device allows it in its present mode.',
};

export type DeviceMatter = keyof typeof deviceAdvice;
