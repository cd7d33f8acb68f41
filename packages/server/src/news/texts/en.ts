import type { NewsTexts } from './news-texts.ts';

export const en: NewsTexts = {
  levels: { 1: 'tip', 2: 'alarm', 3: 'emergency' },
  says: { began: 'began', ended: 'ended', both: 'began and ended' },
  alarms: {
    H101: {
      title: 'Device not reporting',
      advice: 'Check the power supply, the collector and its network.',
    },
    H102: {
      title: 'No production in daylight',
      advice: 'Check the DC switch, the fuses and the display of the inverter; snow on the modules has the same effect.',
    },
    H103: {
      title: 'String far below the others',
      advice: 'Check the fuse, the connectors and the modules of the string, and look for shade around noon.',
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
  },
  deviceAlarm: (code) => `Alarm ${code} of the device`,
  at: (place) => `at ${place}`,
  device: (sn) => `Device ${sn}`,
  since: (time) => `since ${time}`,
  fromTo: (from, to) => `from ${from} to ${to}`,
  several: (alarms, plants) => `${alarms} alarms at ${plants} plants`,
  more: (number) => `and ${number} more`,
  open: 'Open the alarms',
  why: 'You get this because e-mails about alarms are switched on in your account.',
  stop: 'Stop these e-mails',
  test: { title: 'A test', body: 'This is what news of your plants will look like.' },
  stopPage: {
    title: 'E-mails about your plants',
    question: 'Do you want to stop these e-mails? Everything else stays as it is.',
    button: 'Stop them',
    done: 'They are stopped. In the portal, you can switch them on again.',
    unreadable: 'This link is not complete. Open the portal to choose what you are told.',
  },
  weekly: {
    subject: (week) => `Your week of ${week}`,
    summary: (kwh, change) => `Your plants produced ${kwh} kWh${change === undefined ? '' : `, ${change} against the average of the weeks before`}.`,
    produced: 'Produced',
    weekBefore: 'The week before',
    average: 'Average of four weeks before',
    bestDay: 'Best day',
    income: 'Income',
    co2: 'CO₂ avoided',
    alarms: 'Alarms that began',
    quiet: 'No alarm is open: there is nothing to do.',
    toDo: (number) => `To do: ${number} open`,
    open: 'Open your plants',
    why: 'You get this because the weekly summary is switched on in your account.',
    nothing: 'Nothing was measured at your plants last week.',
    onlyFirst: (plants) => `The figures are those of your first ${plants} plants.`,
  },
};
