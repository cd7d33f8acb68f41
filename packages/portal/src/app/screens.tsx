import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell });

/** What a screen's main file exports. */
interface ScreenModule {
  readonly Screen: () => ReactNode;
}

/** A screen at an address, loaded when it is first shown. */
const screen = <const Path extends string>(path: Path, load: () => Promise<ScreenModule>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, 'Screen') });

/** Every screen, one line each. What is in the bar of the shell is listed in shell/navigation.ts. */
export const routeTree = root.addChildren([
  screen('/', () => import('../screens/overview/screen.tsx')),
  screen('/sign-in', () => import('../screens/sign-in/screen.tsx')),
]);
