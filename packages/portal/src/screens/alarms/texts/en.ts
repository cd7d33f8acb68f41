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
};
export type Texts = typeof en;
export default en;
