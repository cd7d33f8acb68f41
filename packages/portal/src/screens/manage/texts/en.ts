const en = {
  toOverview: 'All plants',
  newPlant: 'New plant',
  newPlantLead: 'Tell us where it is, and its days and prices are right from the first reading.',
  onThisPage: 'On this page',
  details: 'Details',
  name: 'Name',
  capacity: 'Rated power of the modules (kWp)',
  address: 'Address',
  latitude: 'Latitude, north is positive',
  longitude: 'Longitude, east is positive',
  needed: 'Fields with * are required.',
  missing: 'Please fill this in.',
  place: 'Where the plant is',
  whereIAm: 'Use my location',
  removePlace: 'Remove the place',
  placeRefused:
    'Your browser does not say where you are. Point at the place on the map, or type it.',
  placeMap: 'Map to point at the place of the plant',
  placeHint: 'Click or tap the place of the plant; zoom in to be more exact. Drag to move the map.',
  showPlace: 'Show the place of the plant',
  chooseZone: 'Choose the time zone of the plant',
  noZone: 'No such time zone',
  chooseCurrency: 'Choose the currency of the plant',
  noCurrency: 'No such currency',
  timeZone: 'Time zone',
  suggested: (zone: string) => `The position lies in ${zone}.`,
  takeSuggestion: 'Use it',
  fromPlace: 'Taken from the position. Choose another one if it is wrong.',
  atSea: 'There is no time zone on land at this position. Check latitude and longitude.',
  notDegrees: {
    latitude: 'Degrees from -90 to 90, such as 37.39; the south is negative.',
    longitude: 'Degrees from -180 to 180, such as -5.99; the west is negative.',
  },
  currency: 'Currency',
  notConverted: (from: string, to: string) =>
    `Prices and amounts are not converted, past ones included: 10 ${from} become 10 ${to}.`,
  price: (currency: string) =>
    currency === '' ? 'Tariff per kWh produced' : `Tariff per kWh produced (${currency})`,
  pricesHint:
    'Two prices are enough: what you pay for a kWh from the grid, and what you get for one that you sell. They apply from the beginning, and can be changed later, in the settings of the plant, also for certain hours.',
  priceHint:
    'Paid for every kWh that you produce, also for what you use yourself. Most plants have none.',
  morePrices: 'More: a tariff per kWh produced',
  importPrice: (currency: string) =>
    currency === '' ? 'Cost per kWh bought' : `Cost per kWh bought (${currency})`,
  importPriceHint: 'What you pay for energy from the grid. Leave it empty if you do not know it.',
  exportPrice: (currency: string) =>
    currency === '' ? 'Income per kWh sold' : `Income per kWh sold (${currency})`,
  exportPriceHint:
    'What you are paid for energy that goes to the grid. Leave it empty if you do not know it.',
  collector: 'Serial number of the collector, if you have it at hand',
  create: 'Create the plant',
  save: 'Save',
  saved: 'Saved.',
  created: 'The plant has been created.',
  addCollector: 'Bind a collector',
  changedMeanwhile:
    'Somebody has changed this plant meanwhile, perhaps you in another tab. Nothing of yours was saved.',
  loadNewest: 'Show the latest version',
  refused: (expected: string) => `Expected: ${expected}`,
  failed: 'This could not be done.',
  taken: 'This device is bound already, or kept for somebody else.',
  reportedFirst:
    'In nobody’s plant: somebody else’s collector reported it first. A day after that collector’s last report, you can bind it. If it is yours and goes on being reported elsewhere, ask the operator of this cloud.',
  takenChecks: [
    'In another plant of yours: unbind it there first.',
    'In somebody else’s plant: they have to unbind it.',
    'A collector that was entered for another account: enter its token, which comes from the operator of this cloud.',
  ],
  unknownCollector: 'There is no such collector, or it belongs to somebody else.',
  collectorRefused:
    'No collector with this serial number can be bound. Compare it with the label. The operator of this cloud has to enter a collector first: ask them whether they have. To create the plant without it, leave this empty, and bind it later.',
  collectorTaken:
    'This collector is bound already, or kept for somebody else. Unbind it first where it is. To create the plant without it, leave this empty, and bind it later.',
  unknownDevice: 'No device with this serial number can be bound here.',
  compareSerial: 'Compare it with the label, character by character.',
  collectorFirst:
    'An inverter or a meter: bind its collector first. It is known once that has reported it.',
  collectorEntered:
    'A collector: the operator of this cloud enters it first. Ask them whether they have.',
  people: 'People',
  peopleLead: 'Family and installers, who see or control the plant with their own account.',
  owner: 'Owner',
  withdrawOf: (email: string) => `Withdraw the invitation to ${email}`,
  invitationWithdrawn: 'The invitation has been withdrawn.',
  withdrawLead: (email: string) => `${email} can no longer accept it. You can invite them again.`,
  endShare: 'End access',
  endShareOf: (email: string) => `End access of ${email}`,
  endShareLead: (email: string) => `${email} loses access at once, and can be invited again.`,
  devices: 'Devices',
  devicesLead:
    'A collector brings along the devices that are known to report through it. What it reports for the first time is offered below, within minutes. A collector that was entered for another account needs its token: it is on the label of the collector, or comes from the operator of this cloud.',
  connect:
    'Connect an inverter, a stick or a meter: what to switch on, with a file and a token to copy',
  bindTitle: 'Bind a device',
  serial: 'Serial number',
  token: 'Token of the collector, if needed',
  reportTo: 'Collectors report to',
  bind: 'Bind',
  bound: (sn: string) => `${sn} has been bound.`,
  waiting: (count: number, shown: string, collector: string) =>
    count === 1
      ? `1 device reports through ${collector} and is not bound yet`
      : `${shown} devices report through ${collector} and are not bound yet`,
  kindOf: (sn: string) => `What ${sn} is`,
  bindAll: (shown: string) => `Bind all (${shown})`,
  boundAll: (shown: string) => `${shown} devices have been bound.`,
  sharedLead:
    'The plant is shared with you. Its details, prices, people and devices are changed by its owner.',
  installLead:
    'The plant is shared with you, and you may set it up. Its prices and people are managed by its owner.',
  installDevices: 'Open a device to replace it, or to correct its name and ratings.',
  keptReadings: (count: number, shown: string) =>
    count === 1 ? '1 reading waits, and comes with it' : `${shown} readings wait, and come with it`,
  replaceLead: 'Only the owner binds and unbinds devices. To replace one:',
  replaceSteps: [
    'Give the owner the serial numbers of the old and the new device.',
    'The owner opens the settings of the plant, and unbinds the old one under “Devices”. What it measured stays with the plant.',
    'The owner binds the new one there. If it reports through the same collector, it is offered there by itself.',
    'Or the owner lets you do it: in the settings of the plant, under “People”, with “can view, control and set up”.',
  ],
  arrays: {
    title: 'Modules',
    lead: 'How the modules are mounted. With an irradiance sensor, Helioport then says what the plant should have produced.',
    fromPlant: 'Taken from the details of the plant. Check it and save.',
    estimated:
      'Estimated from clear days of the inverters, and not in use yet. Check it and save it to confirm.',
    takeEstimated: 'Fill in what clear days say',
    array: (number: number) => `Array ${number}`,
    tilt: 'Tilt (°)',
    azimuth: 'Direction (°)',
    capacity: 'Rated power (kWp)',
    inverter: 'Inverter',
    anyInverter: 'Not specified',
    directions:
      'Tilt: 0 = level, 90 = upright. Direction: 0 = north, 90 = east, 180 = south, 270 = west.',
    differs: (arrays: string, plant: string) =>
      `The arrays have ${arrays} together, the plant has ${plant}.`,
    add: 'Add an array',
    save: 'Save the modules',
    saved: 'The modules have been saved.',
  },
  tariffs: 'Prices',
  tariffsLead:
    'What energy earns and costs, and since when. If a change reaches back, the past is calculated again.',
  uses: {
    production: 'Generation tariff (per kWh produced)',
    import: 'Energy bought',
    export: 'Energy sold',
  },
  noPrice: 'No price yet.',
  since: (when: string) => `from ${when}`,
  sinceEver: 'from the beginning',
  inForce: 'in force',
  planned: 'begins later',
  remove: 'Remove',
  removeTariff: 'Remove the price',
  removeTariffLead:
    'The price before it applies again. If there is none, energy has no price until the next one begins. It can be set again.',
  tariffRemoved: 'Removed.',
  firstCounts: 'It is the first price of its kind, and applies to all time so far.',
  noneBefore: 'Before that, there is no price.',
  tariffPlanned: (when: string) => `Saved. It applies from ${when}.`,
  tariffSaved: 'Saved. Money is being worked out again.',
  newPrice: 'New price',
  priceOf: 'What it is for',
  pricePerKwh: 'Price per kWh',
  validFrom: 'Valid',
  fromNow: 'from now on',
  fromDay: 'from a day on',
  firstDay: 'First day',
  setPrice: 'Set the price',
  hoursEnd:
    'An earlier price has other prices at certain hours. The new one has none, unless you add them here.',
  addWindow: 'Another price at certain hours',
  window: (number: number) => `Hours ${number}`,
  windowStart: 'From',
  windowEnd: 'To',
  windowDays: 'On',
  days: { all: 'every day', work: 'Monday to Friday', weekend: 'Saturday and Sunday' },
  weekDays: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
  inMonths: (months: string) => `months ${months}`,
  boundDevices: 'In this plant',
  noneBound: 'No device yet.',
  searchDevices: 'Search devices of this plant',
  unbind: 'Unbind',
  historyStays:
    'What it has measured stays with this plant: curves, energy and income do not change.',
  nothingTaken:
    'What it measures from now on is not recorded, until it is bound again, here or in another plant.',
  nothingWaits: 'No change of its settings is waiting. Strategies on it end.',
  waitingCommands: (count: number) =>
    `${count === 1 ? 'One change of its settings is waiting. It is' : `${count} changes of its settings are waiting. They are`} not sent while it is unbound. Strategies on it end.`,
  bindAgain: 'To take it back, bind it again: its serial number will be in the field below.',
  withDevices: 'Also the devices that report through it',
  withDevicesLead: 'If they stay, nobody reports for them until another collector does.',
  unboundDone: (sn: string) => `${sn} has been unbound.`,
  handOver: 'Hand over',
  offerLead:
    'Hand the plant over to its customer, or to a buyer of the house. Once they accept, it is theirs with all its history. The access of other people ends then, and so does that of your applications, also if you keep an access yourself; the new owner can invite people again under “People”. The details of the plant, its prices, people and devices are then changed by the new owner alone.',
  offerAsk: (email: string) =>
    `${email} becomes the owner on accepting. Until then nothing changes, and you can withdraw the offer.`,
  keep: 'Your own access afterwards',
  keepNothing: 'None',
  keepRead: 'See',
  keepControl: 'See and control',
  keepInstall: 'See, control and set up',
  ownEnds: 'Your own access ends too, unless you keep it.',
  withoutDevices:
    'This plant has no device yet. You can offer it like that; after the hand-over, only its new owner can add devices.',
  installerKeeps:
    'Your own access does not end: whoever installs a plant goes on servicing it. The new owner can accept the plant without it, or end it later under “People”.',
  keeps: {
    read: (who: string) => `${who} may still see the plant afterwards, for service.`,
    control: (who: string) => `${who} may still see and control the plant afterwards, for service.`,
    install: (who: string) =>
      `${who} may still see, control and set up the plant afterwards: replace devices, correct their ratings, bind new ones.`,
  },
  tokensKnown: (count: number) =>
    count === 1
      ? 'Whoever set up the collector may know its token, and could use it to send false readings or intercept your commands. If you end their access, the token ends too. Make a new one on the collector’s page; until then, the collector keeps what it measures.'
      : `Whoever set up the ${count} collectors may know their tokens, and could use them to send false readings or intercept your commands. If you end their access, the tokens end too. Make new ones on the collectors’ pages; until then, the collectors keep what they measure.`,
  installerStays: (who: string) =>
    `${who} goes on looking after the plant as its installer, and may control it.`,
  youKeep: {
    none: 'You keep no access.',
    read: 'You may still see the plant afterwards.',
    control: 'You may still see and control the plant afterwards.',
    install: 'You may still see, control and set up the plant afterwards.',
  },
  offerTo: 'E-mail address of the new owner',
  offer: 'Offer the plant',
  offered: (email: string) => `The plant has been offered to ${email}.`,
  offeredTo: (email: string) => `Offered to ${email}`,
  offeredSince: (when: string, until: string) => `since ${when} · open until ${until}`,
  offerWithdrawn: 'The offer has been withdrawn.',
  kept: {
    title: 'How long readings are kept',
    lead: 'Energies of days, months and years, amounts and peaks stay for ever. The operator of this service may keep readings for less, never for longer than is set here.',
    readingThinning: 'Keep one reading of 15 minutes',
    readingRetention: 'Delete readings',
    off: 'as the operator has set',
    afterDays: (days: number) => `after ${days} days`,
    save: 'Save',
    warning:
      'Readings that are thinned or deleted do not come back, and new prices do not change the amounts of their days.',
  },
  archive: 'Archive the plant',
  archiveLead:
    'It will no longer be shown to anybody, and its devices will be free for another plant. Its history is kept, and you can bring it back, with the devices that are still free: under “Archived plants”, below the list of plants.',
  archivedDone:
    'The plant has been archived. You can bring it back under “Archived plants”, below the list of plants.',
  archived: 'Archived plants',
  noneArchived: 'No plant is archived.',
  archivedOn: (when: string) => `archived ${when}`,
  restore: 'Bring back',
  restored: (name: string) => `${name} is back.`,
  restoredWith: (name: string) => `${name} is back, with its devices.`,
  restoredWithout: (name: string, count: number, shown: string) =>
    `${name} is back, ${count === 1 ? 'but 1 of its devices is' : `but ${shown} of its devices are`} in another plant now.`,
  toItsDevices: 'To its devices',
  invitations: 'Invitations',
  noInvitations: 'No invitations',
  noInvitationsLead: 'When somebody shares a plant with you, it appears here.',
  received: 'Received',
  sent: 'Sent',
  asks: {
    share: (from: string, plant: string) => `${from} shares the plant “${plant}” with you.`,
    installer: (from: string, plant: string) =>
      `${from} wants you to look after the plant “${plant}”.`,
    owner: (from: string, plant: string) => `${from} hands the plant “${plant}” over to you.`,
  },
  asked: {
    share: (from: string, plant: string) => `${from} invited you to “${plant}”.`,
    installer: (from: string, plant: string) => `${from} wanted you to look after “${plant}”.`,
    owner: (from: string, plant: string) => `${from} offered “${plant}” to you.`,
  },
  youMay: {
    read: 'You may see it.',
    control: 'You may see and control it.',
    install:
      'You may see, control and set up it: replace devices, correct their ratings, bind new ones.',
  },
  thenYours: 'Once you accept, it is yours, with its history.',
  handedOver: (from: string, plant: string) =>
    `${from} handed “${plant}” over to you. It is yours now, with its history.`,
  toPlant: 'To the plant',
  asksOf: {
    read: (to: string, plant: string) => `You invited ${to} to see “${plant}”.`,
    control: (to: string, plant: string) => `You invited ${to} to see and control “${plant}”.`,
    install: (to: string, plant: string) =>
      `You invited ${to} to see, control and set up “${plant}”.`,
    installer: (to: string, plant: string) => `You asked ${to} to look after “${plant}”.`,
    owner: (to: string, plant: string) => `You offered “${plant}” to ${to}.`,
    company: (to: string, name: string) => `You invited ${to} to the company ${name}.`,
  },
  states: {
    open: (until: string) => `It can be accepted until ${until}.`,
    accepted: (when: string) => `Accepted on ${when}.`,
    declined: (when: string) => `Declined on ${when}.`,
    withdrawn: (when: string) => `Withdrawn on ${when}.`,
    expired: (when: string) => `Expired on ${when}.`,
  },
  acceptedFor: (company: string, when: string) => `Accepted for ${company} on ${when}.`,
  accessEnded: { received: 'Your access has ended.', sent: 'The access has ended.' },
  companyOf: (count: number) =>
    count === 1 ? 'A company of 1 person.' : `A company of ${count} people.`,
  acceptFor: (name: string) => `Accept for ${name}`,
  acceptForMe: 'Accept for me',
  toCompany: 'To the company',
  acceptedForAll: 'Accepted. Everybody in the company has the plant in their list now.',
  giveTo: (name: string) => `Share it with ${name}`,
  givenTo: (name: string) => `${name} has the plant now.`,
  endCompanyLead: (name: string) =>
    `Everybody in ${name} loses access at once, unless they have their own.`,
  acceptWithout: 'Accept and end their access',
  accept: 'Accept',
  decline: 'Decline',
  withdraw: 'Withdraw',
  accepted: 'Accepted. The plant is in your list now.',
};
export type Texts = typeof en;
export default en;
