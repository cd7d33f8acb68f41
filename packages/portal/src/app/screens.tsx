import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { documentLanguage } from '../i18n/active-language.tsx';
import { loadTexts } from '../i18n/catalogue.ts';
import { alarmSearch } from '../screens/alarms/search.ts';
import { accountSearch, collectorSearch, trailSearch } from '../screens/console/search.ts';
import { deviceSearch } from '../screens/device/search.ts';
import { devicesSearch } from '../screens/devices/search.ts';
import { explorerSearch } from '../screens/explorer/search.ts';
import { connectSearch } from '../screens/manage/connect/families.ts';
import { settingsSearch } from '../screens/manage/search.ts';
import { weekSearch } from '../screens/notifications/search.ts';
import { Screen as Overview } from '../screens/overview/screen.tsx';
import { overviewSearch } from '../screens/overview/search.ts';
import { plantSearch } from '../screens/plant/search.ts';
import { reportSearch } from '../screens/report/search.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell });

/** What a screen's main file exports. */
interface ScreenModule {
  readonly Screen: () => ReactNode;
}

type Search = Readonly<Record<string, unknown>>;

const nothing = (): object => ({});

/** A screen at an address, loaded when it is first shown. `searchOf` reads what the address says after `?`. */
const screen = <const Path extends string, S extends object = object>(
  path: Path,
  load: () => Promise<ScreenModule>,
  searchOf: (search: Search) => S = nothing as () => S,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => withTexts(load), 'Screen'),
    validateSearch: searchOf,
  });

/** A screen that waited for its texts only once it is shown would be replaced by a sign of loading, which React then leaves there for 300 ms. */
async function withTexts(load: () => Promise<ScreenModule>): Promise<ScreenModule> {
  const module = await load();
  await loadTexts(documentLanguage());
  return module;
}

// Most visits begin here: it comes with the app itself, which saves asking for it.
const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: Overview,
  validateSearch: overviewSearch,
});

/** Every screen, one line each. What is in the bar of the shell is listed in shell/navigation.ts. */
export const routeTree = root.addChildren([
  overview,
  screen('/account/close', () => import('../screens/account/close.tsx')),
  screen('/company', () => import('../screens/company/screen.tsx')),
  screen('/account/export', () => import('../screens/export/screen.tsx')),
  screen('/invitations', () => import('../screens/manage/invitations/screen.tsx')),
  screen('/plants/$id/settings', () => import('../screens/manage/settings.tsx'), settingsSearch),
  screen(
    '/plants/$id/connect',
    () => import('../screens/manage/connect/screen.tsx'),
    connectSearch,
  ),
  screen('/plants/new', () => import('../screens/manage/new-plant.tsx')),
  screen('/plants/archived', () => import('../screens/manage/archived.tsx')),
  screen('/plants/$id', () => import('../screens/plant/screen.tsx'), plantSearch),
  screen('/plants/$id/report', () => import('../screens/report/screen.tsx'), reportSearch),
  screen('/plants/$id/strategies', () => import('../screens/strategies/screen.tsx')),
  screen('/plants/$id/devices', () => import('../screens/devices/screen.tsx'), devicesSearch),
  screen(
    '/plants/$id/devices/$deviceId',
    () => import('../screens/device/screen.tsx'),
    deviceSearch,
  ),
  screen('/developer', () => import('../screens/developer/screen.tsx')),
  screen('/developer/explorer', () => import('../screens/explorer/screen.tsx'), explorerSearch),
  screen('/developer/$clientId', () => import('../screens/developer/application.tsx')),
  screen('/debugger', () => import('../screens/debugger/screen.tsx')),
  screen('/keys', () => import('../screens/keys/screen.tsx')),
  screen('/authorizations', () => import('../screens/authorizations/screen.tsx')),
  screen('/alarms', () => import('../screens/alarms/screen.tsx'), alarmSearch),
  screen('/alarms/settings', () => import('../screens/notifications/screen.tsx')),
  screen('/week', () => import('../screens/notifications/week.tsx'), weekSearch),
  screen('/account', () => import('../screens/account/screen.tsx')),
  screen('/reset', () => import('../screens/entry/reset.tsx')),
  screen('/sign-up', () => import('../screens/entry/sign-up.tsx')),
  screen('/operator', () => import('../screens/console/health/screen.tsx')),
  screen(
    '/operator/accounts',
    () => import('../screens/console/accounts/screen.tsx'),
    accountSearch,
  ),
  screen(
    '/operator/collectors',
    () => import('../screens/console/collectors/screen.tsx'),
    collectorSearch,
  ),
  screen('/operator/applications', () => import('../screens/console/applications/screen.tsx')),
  screen('/operator/trail', () => import('../screens/console/trail/screen.tsx'), trailSearch),
  screen('/sign-in', () => import('../screens/sign-in/screen.tsx')),
]);
