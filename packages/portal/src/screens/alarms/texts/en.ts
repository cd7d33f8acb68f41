const en = {
  title: 'Alarms',
  settings: 'Notifications',
  filters: 'Which alarms are shown',
  state: 'State',
  states: { open: 'Open', processed: 'In progress', ended: 'Ended', all: 'All' },
  level: 'Level',
  order: 'Order',
  newest: 'Newest first',
  costliest: 'What has cost most first',
  anyLevel: 'All levels',
  fromAlarm: 'Alarms and emergencies',
  onlyEmergencies: 'Emergencies only',
  plant: 'Plant',
  anyPlant: 'All plants',
  allPlants: 'Show all plants',
  from: 'Active from',
  to: 'Active until',
  clear: 'Clear filters',
  allWell: 'All is well',
  allWellLead: 'No alarm is open at any of your plants.',
  showAll: 'Show past alarms',
  none: {
    open: 'No open alarms',
    processed: 'No alarms in progress',
    ended: 'No ended alarms',
    all: 'No alarms',
  },
  noneLead: {
    processed: 'An alarm that somebody takes on is here until it ends.',
    ended: 'No filter is set: none of your plants’ alarms has ended yet.',
    all: 'No filter is set: there has been no alarm yet.',
  },
  narrowedLead: 'Filters are set. Without them, there may be others.',
  inProgress: (count: number, shown: string) =>
    count === 1
      ? 'One alarm is in progress: it has been taken on, and is not over yet.'
      : `${shown} alarms are in progress: they have been taken on, and are not over yet.`,
  showInProgress: 'Show what is in progress',
  narrowed: 'filtered',
};
export type Texts = typeof en;
export default en;
