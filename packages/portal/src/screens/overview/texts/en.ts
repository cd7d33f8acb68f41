const en = {
  title: 'Overview',
  now: 'Right now',
  plants: (count: number, shown: string) => (count === 1 ? '1 plant' : `${shown} plants`),
  today: 'Today',
  yesterday: 'Yesterday per kWp',
  month: 'This month',
  year: 'This year',
  total: 'Lifetime',
  ofCapacity: (percent: string, capacity: string) => `${percent} of ${capacity}`,
  notCounted: (count: number, shown: string) =>
    count === 1
      ? 'not counting 1 plant without readings'
      : `not counting ${shown} plants without readings`,
  amounts: (what: string, count: string) => `${what} in ${count} currencies`,
  withoutAmounts: 'Hide the amounts',
  asOf: (time: string) => `as of ${time}`,
  counting: 'The sums are still being worked out.',
  lastDay: 'Last 24 hours',
  highest: (power: string, time: string) => `peak ${power} at ${time} (15-minute average)`,
  allWell: 'All plants are well.',
  need: {
    alarm: (count: number, shown: string) =>
      count === 1 ? '1 plant needs attention:' : `${shown} plants need attention:`,
    inHand: (count: number, shown: string) =>
      count === 1
        ? '1 plant has an alarm in progress:'
        : `${shown} plants have alarms in progress:`,
    offline: (count: number, shown: string) =>
      count === 1 ? '1 plant does not report:' : `${shown} plants do not report:`,
  },
  showThem: 'Show them',
  counters: 'Plants by state',
  share: 'Of expected, 30 days',
  lost: (energy: string) => `${energy} lost`,
  visits: {
    title: 'What a visit would bring',
    note: 'Ongoing losses that can be fixed, and what they will cost in a year if nothing changes.',
    cause: 'Cause',
    energy: 'Lost per year',
    amount: 'Value per year',
    since: 'Since',
    confidence: 'Certainty',
    more: (count: number, shown: string) => (count === 1 ? 'Show 1 more' : `Show ${shown} more`),
  },
  list: 'List',
  map: 'Map',
  view: 'List or map',
  search: 'Name, address or serial number',
  plant: 'Plant',
  state: 'State',
  power: 'Power now',
  battery: 'Battery',
  dealtWith: 'in progress',
  moreAlarms: (count: number, shown: string) =>
    count === 1 ? 'and another alarm' : `and ${shown} more alarms`,
  noPlants: 'You have no plants yet',
  noPlantsLead: 'Once a plant is yours or is shared with you, it appears here.',
  newPlant: 'New plant',
  developer: 'For developers',
  nothingFound: 'No plant matches',
  showAll: 'Show all plants',
  archived: (count: string) => `Archived plants (${count})`,
  mapLabel: 'Map of your plants',
  mapHint: 'Drag to move; zoom with the buttons, or with Ctrl and the wheel.',
  mapHintTouch: 'Drag sideways to move; the buttons zoom.',
  fit: 'Show all plants',
  together: (count: string) => `${count} plants close together`,
  withoutPosition: 'None of these plants has a position yet.',
};
export type Texts = typeof en;
export default en;
