/** What is wrong, and what to do about it. */
export interface AlarmWords {
  readonly title: string;
  /** The title of what was measured, and of nothing at all being left of it: {0}, {1} stand for the figures of the message. */
  readonly titleMeasured?: string;
  readonly titleAtNothing?: string;
  /** What is for owners alone stands in brackets: for installers it is left out. */
  readonly advice: string;
  /** What was measured: {0}, {1} stand for the figures of the message. */
  readonly detail?: string;
  /** What to do where nothing at all is left of what is measured. */
  readonly adviceAtNothing?: string;
}

/** Alarms of the service in words, by code. One module for each language, so that a page loads only its own. */
export const alarmWords = {
  H101: {
    title: 'Device not reporting',
    advice:
      'Check whether the device and its collector have power, and whether your internet works. [If that is not the cause, call your installer. For your installer: ]check their supply, the cable between them and the network.',
  },
  H102: {
    title: 'No production in daylight',
    advice:
      'Check whether the inverter’s display is on, its DC switch is on, and snow lies on the modules. [If that is not the cause, call your installer. For your installer: ]check the fuses and the DC side.',
  },
  H103: {
    title: 'String far below the others',
    titleMeasured: 'String {0} delivers {1} % of the others',
    titleAtNothing: 'String {0} delivers nothing',
    advice:
      'A string is one of the rows of panels. Look for shade and dirt on them; [if you see none, call your installer. For your installer: ]check its fuse, connectors and modules.',
    adviceAtNothing:
      'A string is one of the rows of panels, and this one delivers nothing. Check whether its isolator at the inverter is switched off. [If that is not the cause, call your installer. For your installer: ]measure its voltage. At 0 V, check its fuse, isolator and connectors; with a voltage, the input of the inverter.',
  },
  H104: {
    title: 'Grid voltage out of range',
    detail: 'Grid voltage: {0} V.',
    advice:
      '[If it persists, call your installer. For your installer: ]check the length and cross-section of the cable between inverter and meter, and ask the grid operator.',
  },
  H105: {
    title: 'Grid frequency out of range',
    detail: 'Grid frequency: {0} Hz.',
    advice:
      'On a public grid, there is nothing to do; off the grid, [call your installer if it persists. For your installer: ]check the generator and the battery inverter.',
  },
  H106: {
    title: 'Device too hot',
    detail: 'Temperature: {0} °C.',
    advice:
      'Check whether the sun shines on the housing, or something covers its air inlets; the inverter reduces its power by itself. [If it persists, call your installer. For your installer: ]check the fan.',
  },
  H107: {
    title: 'Battery too hot',
    detail: 'Temperature of the battery: {0} °C.',
    advice: 'Stop charging, keep away from the battery [and call its installer].',
  },
  H108: {
    title: 'Communication gaps',
    detail: '{0} % of the readings arrived in two hours.',
    advice:
      'Check whether your internet works, and whether something new stands between router and collector. [If that is not the cause, call your installer. For your installer: ]check the radio signal and the network of the collector.',
  },
  H109: {
    title: 'Values do not change',
    advice:
      'The values shown are old: restart the collector. [If that does not help, call your installer. For your installer: ]check the cable between the collector and the device.',
  },
} satisfies Record<string, AlarmWords>;
