const en = {
  title: 'Alarms',
  settings: 'Notifications',
  filters: 'Which alarms are shown',
  state: 'State',
  states: { open: 'Open', processed: 'In progress', ended: 'Ended', all: 'All' },
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
  allWell: 'All is well',
  allWellLead: 'No alarm is open at any of your plants.',
  showAll: 'Show past alarms',
  none: { open: 'No open alarms', processed: 'No alarms in progress', ended: 'No ended alarms', all: 'No alarms' },
  narrowedLead: 'Filters are set. Without them, there may be others.',
  inProgress: (count: number, shown: string) =>
    count === 1
      ? 'One alarm is in progress: somebody is on it, and it is not over yet.'
      : `${shown} alarms are in progress: somebody is on them, and they are not over yet.`,
  showInProgress: 'Show what is in progress',
  narrowed: 'filtered',
};
export type Texts = typeof en;
export default en;
