const en = {
  title: 'Alarms',
  settings: 'Notifications',
  filters: 'Which alarms are shown',
  state: 'State',
  states: { open: 'Open', processed: 'Dealt with', ended: 'Ended', all: 'All' },
  level: 'Level',
  anyLevel: 'All levels',
  fromAlarm: 'Alarms and emergencies',
  onlyEmergencies: 'Emergencies only',
  plant: 'Plant',
  anyPlant: 'All plants',
  allPlants: 'Show all plants',
  from: 'Began on or after',
  to: 'Began on or before',
  reset: 'Show all open alarms',
  nothingFound: 'No alarm matches',
  allWell: 'All is well',
  allWellLead: 'No alarm is open at any of your plants.',
  showAll: 'Show past alarms',
  levels: { 1: 'Tip', 2: 'Alarm', 3: 'Emergency' },
  stateNames: { 0: 'Open', 1: 'Dealt with, not over yet', 2: 'Ended' },
  device: 'Device',
  since: (time: string) => `since ${time}`,
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  lasted: (time: string) => `lasted ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Mark as dealt with',
  processed: 'Marked as dealt with. It ends when its cause is gone.',
  mayNot: 'Only who may control this plant can do that, and only while the alarm is open.',
  failed: 'That did not work. Try again.',
  // As in messages (server/src/news/texts); a test compares them.
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
};
export type Texts = typeof en;
export default en;
