import {
  BellIcon,
  CodeIcon,
  CollectorIcon,
  HomeIcon,
  ListIcon,
  PersonIcon,
  RoofIcon,
  SettingsIcon,
  ShieldIcon,
  type Icon,
} from '../../parts/icons.tsx';
import type { Account } from '../../wire/session.ts';
import { activeSupport } from '../../wire/support.ts';
import type { Texts } from '../texts/en.ts';

interface Destination {
  readonly to:
    | '/'
    | '/alarms'
    | '/account'
    | '/plants/new'
    | '/authorizations'
    | '/developer'
    | '/operator'
    | `/operator/${'accounts' | 'collectors' | 'applications' | 'trail'}`;
  readonly icon: Icon;
  readonly text: keyof Texts['navigation'];
  /** Other pages that belong to it. */
  readonly beside?: readonly string[];
}

const access: Destination = {
  to: '/authorizations',
  icon: ShieldIcon,
  text: 'access',
  beside: ['/keys', '/invitations'],
};

const settings: Destination = {
  to: '/account',
  icon: SettingsIcon,
  text: 'settings',
  beside: ['/alarms/settings', '/week', '/company'],
};

/** What the bar of the shell leads to, most wanted first. On phones there is room for five. */
const ofOwners: readonly Destination[] = [
  { to: '/', icon: HomeIcon, text: 'overview' },
  { to: '/alarms', icon: BellIcon, text: 'alarms' },
  access,
  settings,
];

/** Installers set up plants, and have their colleagues there. */
const ofInstallers: readonly Destination[] = [
  ...ofOwners.slice(0, 2),
  {
    to: '/plants/new',
    icon: RoofIcon,
    text: 'installation',
    beside: ['/company', '/plants/archived'],
  },
  access,
  { ...settings, beside: ['/alarms/settings', '/week'] },
];

/** Developers have their applications first, and plants of their own as everybody. */
const ofDevelopers: readonly Destination[] = [
  {
    to: '/developer',
    icon: CodeIcon,
    text: 'developers',
    beside: ['/developer/explorer', '/debugger'],
  },
  ...ofOwners,
];

/** What the bar leads operators of the service to, who have no plants. */
const ofOperators: readonly Destination[] = [
  { to: '/operator', icon: HomeIcon, text: 'health' },
  { to: '/operator/accounts', icon: PersonIcon, text: 'accounts' },
  { to: '/operator/collectors', icon: CollectorIcon, text: 'collectors' },
  { to: '/operator/applications', icon: ShieldIcon, text: 'applications' },
  { to: '/operator/trail', icon: ListIcon, text: 'trail' },
];

/** What it leads them to while they look through an owner's eyes. */
const ofSupporters = ofOwners.slice(0, 2);

export const navigationOf = ({ role }: Pick<Account, 'role'>): readonly Destination[] => {
  if (role === 'developer') return ofDevelopers;
  if (role === 'installer') return ofInstallers;
  if (role !== 'operator') return ofOwners;
  return activeSupport() ? ofSupporters : ofOperators;
};

/** Addresses of which others that are no pages of theirs begin with the same words. */
export const isRoot = (to: string): boolean => to === '/' || to === '/operator' || to === '/alarms';

/** Whether operators of the service have a page at an address: the console's, their own account's, and all while they look through an owner's eyes. */
export const isForOperators = (pathname: string): boolean =>
  activeSupport() !== undefined || /^\/(operator(\/|$)|account$)/.test(pathname);

/** Whether the screen at an address is in English alone: those of operators and developers. */
export const isInEnglish = (pathname: string): boolean =>
  /^\/(operator|developer)(\/|$)/.test(pathname);

/** Addresses that are open to people who are not signed in. */
export const OPEN_ADDRESSES: ReadonlySet<string> = new Set([
  '/debugger',
  '/sign-in',
  '/sign-up',
  '/reset',
]);
