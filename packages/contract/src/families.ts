import type { Family } from './operation.ts';

/** How the families of operations are called and what is in them. */
export const families: Readonly<Record<Family, { readonly title: string; readonly description: string }>> = {
  plants: { title: 'Plants', description: 'Plants with their state, energies and income; charts of a day, months, years and all time.' },
  inverters: { title: 'Inverters', description: 'Inverters with what they measured last, their charts and their warranty.' },
  collectors: { title: 'Collectors', description: 'Collectors, which report what the devices behind them measure, and their radio signal.' },
  epm: { title: 'EPM units', description: 'Export power managers: what they measure at the point of connection.' },
  weather: { title: 'Weather stations', description: 'Weather stations and their latest values.' },
  ammeters: { title: 'Ammeters', description: 'Ammeters; the user-level interface alone has them.' },
  alarms: { title: 'Alarms', description: 'Alarms reported by devices and those that the service raises itself.' },
  control: { title: 'Device control', description: 'Reading and setting registers of devices.' },
  strategies: { title: 'Strategies', description: 'Dispatch of strategies to plants.' },
  management: { title: 'Plant management', description: 'Creating and changing plants, binding and unbinding devices; the user-level interface alone has it.' },
};
