import type { OperationIdBy } from '@helioport/contract';

/** An owner's permission with which an operator of the service looks, in this tab. */
export interface ActiveSupport {
  readonly id: string;
  /** E-mail address of the owner. */
  readonly email: string;
  readonly expiresAt: number;
}

/** What an owner's permission opens; everything else is refused here already. An entry that is missing or superfluous is a type error. */
const READABLE: Readonly<Record<OperationIdBy<'support'>, true>> = {
  userStationList: true,
  stationDetail: true,
  stationDetailList: true,
  stationDay: true,
  stationMonth: true,
  stationYear: true,
  stationAll: true,
  stationDayEnergyList: true,
  stationMonthEnergyList: true,
  stationYearEnergyList: true,
  inverterList: true,
  inverterDetail: true,
  inverterDetailList: true,
  inverterDay: true,
  inverterMonth: true,
  inverterYear: true,
  inverterAll: true,
  'inverter/shelfTime': true,
  collectorList: true,
  collectorDetail: true,
  'collector/day': true,
  epmList: true,
  epmDetail: true,
  'epm/day': true,
  'epm/month': true,
  'epm/year': true,
  'epm/all': true,
  weatherList: true,
  weatherDetail: true,
  ammeterList: true,
  ammeterDetail: true,
  'alarm/list': true,
  alarmList: true,
  'command/list': true,
  'command/show': true,
  'command/parameters': true,
  'control/powerLimits': true,
  'control/state': true,
  'strategy/list': true,
  'strategy/detail': true,
  'plant/overview': true,
  'plant/ranking': true,
  'device/ranking': true,
  'device/show': true,
  'device/day': true,
  'plant/show': true,
  'plant/day': true,
  'plant/energy': true,
  'plant/positions': true,
  'plant/curves': true,
  'plant/yearBefore': true,
  'plant/arrays': true,
  'performance/day': true,
  'performance/energy': true,
  'performance/losses': true,
  'performance/visits': true,
};

export const isReadable = (operation: string): boolean => Object.hasOwn(READABLE, operation);

const KEY = 'helioport-support';

let active: ActiveSupport | undefined = read();

/** A tab that may keep nothing forgets at once. */
function read(): ActiveSupport | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as ActiveSupport | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The permission with which this tab looks; undefined = it shows the own account. */
export const activeSupport = (): ActiveSupport | undefined => active;

/** Begins to look through an owner's eyes. The page is loaded anew, so that nothing of one account is shown as another's. */
export function beginSupport(support: ActiveSupport): void {
  sessionStorage.setItem(KEY, JSON.stringify(support));
  location.assign('/');
}

/** Forgets the permission: its time is over, or somebody else signs in. */
export function forgetSupport(): void {
  if (!active) return;
  active = undefined;
  sessionStorage.removeItem(KEY);
}

/** Looks no more, and goes back to the console. */
export function leaveSupport(): void {
  forgetSupport();
  location.assign('/operator/accounts');
}
