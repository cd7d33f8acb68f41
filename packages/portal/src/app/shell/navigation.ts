import { BellIcon, HomeIcon, ShieldIcon, type Icon } from '../../parts/icons.tsx';
import type { Texts } from '../texts/en.ts';

interface Destination {
  readonly to: '/' | '/alarms' | '/authorizations';
  readonly icon: Icon;
  readonly text: keyof Texts['navigation'];
}

/** What the bar of the shell leads to, most wanted first. On phones there is room for five. */
export const navigation: readonly Destination[] = [
  { to: '/', icon: HomeIcon, text: 'overview' },
  { to: '/alarms', icon: BellIcon, text: 'alarms' },
  { to: '/authorizations', icon: ShieldIcon, text: 'access' },
];

/** Addresses that are open to people who are not signed in. */
export const OPEN_ADDRESSES: ReadonlySet<string> = new Set(['/debugger', '/sign-in', '/sign-up', '/reset']);
