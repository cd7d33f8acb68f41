import { createRouter } from '@tanstack/react-router';
import { Failed } from '../parts/states.tsx';
import { routeTree } from './screens.tsx';
import { NotFound } from './shell/not-found.tsx';

/** The addresses of the portal. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Another plant's page begins anew, so that nothing that was chosen or typed for the former one is left on it.
  defaultRemountDeps: ({ params }) => params,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} again={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
