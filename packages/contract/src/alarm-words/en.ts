/** What is wrong, and what to do about it. */
export interface AlarmWords {
  readonly title: string;
  readonly advice: string;
  /** What to do where nothing at all is left of what is measured. */
  readonly adviceAtNothing?: string;
}

/** Alarms of the service in words, by code. One module for each language, so that a page loads only its own. */
export const alarmWords = {
  H101: {
    title: 'Device not reporting',
    advice: 'Check the power supply, the collector and its network.',
  },
  H102: {
    title: 'No production in daylight',
    advice:
      'Look whether the inverter’s display is on, its DC switch is on, and snow lies on the modules. Otherwise call your installer. For your installer: check the fuses and the DC side.',
  },
  H103: {
    title: 'String far below the others',
    advice:
      'A string is one of the rows of panels. Look for shade and dirt on them; if you see none, call your installer. For your installer: check its fuse, connectors and modules.',
    adviceAtNothing:
      'A string is one of the rows of panels, and this one delivers nothing. Look whether its isolator at the inverter is switched off; otherwise call your installer. For your installer: measure its voltage. At 0 V, check its fuse, isolator and connectors; with a voltage, the input of the inverter.',
  },
  H104: {
    title: 'Grid voltage out of range',
    advice: 'If it persists, ask the grid operator; check the length and cross-section of the cable between inverter and meter.',
  },
  H105: {
    title: 'Grid frequency out of range',
    advice: 'On a public grid, there is nothing to do; off the grid, check the generator and the battery inverter.',
  },
  H106: {
    title: 'Device too hot',
    advice: 'Check the fan and the air inlets, and whether the sun shines on the housing; the inverter reduces its power by itself.',
  },
  H107: {
    title: 'Battery too hot',
    advice: 'Stop charging, keep away from the battery and call its installer.',
  },
  H108: {
    title: 'Communication gaps',
    advice: 'Check the radio signal and the network of the collector.',
  },
  H109: {
    title: 'Values do not change',
    advice: 'The values shown are old: restart the collector, and check the cable between it and the device.',
  },
} satisfies Record<string, AlarmWords>;
