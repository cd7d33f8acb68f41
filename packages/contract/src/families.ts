import type { Family } from './operation.ts';

/** Titles and descriptions of the families of operations. */
export const families: Readonly<
  Record<Family, { readonly title: string; readonly description: string }>
> = {
  plants: {
    title: 'Plants',
    description: 'Plants with their state, energy and income, and charts by day, month and year.',
  },
  inverters: {
    title: 'Inverters',
    description: 'Inverters with their latest readings, charts and warranty.',
  },
  collectors: {
    title: 'Collectors',
    description:
      'Collectors, which report what the devices behind them measure, and their radio signal.',
  },
  epm: {
    title: 'EPM units',
    description: 'Export power managers (EPM), which measure at the grid connection.',
  },
  weather: { title: 'Weather stations', description: 'Weather stations and their latest values.' },
  ammeters: {
    title: 'Ammeters',
    description: 'Ammeters. Offered by the user-level interface only.',
  },
  alarms: {
    title: 'Alarms',
    description: 'Alarms that devices report and alarms that the service raises itself.',
  },
  control: { title: 'Device control', description: 'Reading and setting parameters of devices.' },
  strategies: {
    title: 'Strategies',
    description: 'What applications have batteries do for a while, and what owners let them do.',
  },
  management: {
    title: 'Plant management',
    description:
      'Creating and changing plants, binding and unbinding devices. Offered by the user-level interface only.',
  },
  discoveries: {
    title: 'Discoveries',
    description: 'Serial numbers that collectors have reported and that nobody has bound.',
  },
  invitations: {
    title: 'Invitations',
    description:
      'Offers of a share, of the role of installer or of a plant, which another account accepts or declines.',
  },
  shares: {
    title: 'Shares',
    description: 'Who may see, control or install a plant besides its owner.',
  },
  companies: {
    title: 'Companies',
    description: 'Several people who work on one fleet, such as those of an installer’s company.',
  },
  tariffs: { title: 'Tariffs', description: 'Energy prices, by validity and time of day.' },
  accounts: {
    title: 'Accounts',
    description: 'People who can log in, and what happened to their accounts.',
  },
  keys: { title: 'Key pairs', description: 'Key pairs for signed requests.' },
  authorizations: {
    title: 'Authorizations',
    description: 'What owners have allowed applications to do.',
  },
  applications: {
    title: 'Applications',
    description: 'Third-party applications that ask owners for access.',
  },
  forwarding: {
    title: 'Forwarding',
    description:
      'Where events of an application’s plants are sent as they happen, over HTTP, MQTT or RocketMQ.',
  },
  notifications: {
    title: 'Notifications',
    description: 'How people and their programs are notified of alarms, and the summary of a week.',
  },
  service: {
    title: 'The service',
    description:
      'Accounts, collectors, health and the trail of the whole service, without plants, for its operators.',
  },
  installation: {
    title: 'Installation',
    description: 'Every plant, device and collector of the installation, for its operator.',
  },
};
