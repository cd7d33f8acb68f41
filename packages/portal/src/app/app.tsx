import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { LanguageProvider } from '../i18n/active-language.tsx';
import { SessionProvider } from '../session/session-provider.tsx';
import { takeFirstAnswers } from '../wire/first-answers.ts';
import { createQueryClient } from '../wire/queries.ts';
import { sessionOfPage } from '../wire/session.ts';
import { router } from './router.tsx';
import { LastResort } from './shell/last-resort.tsx';
import { theme } from './theme/theme.ts';

const client = createQueryClient();
const session = sessionOfPage();
takeFirstAnswers(client);

/** The nonce that the content security policy of this page allows styles with. */
const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

export function App(): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      getStyleNonce={styleNonce}
    >
      <LastResort>
        <QueryClientProvider client={client}>
          <LanguageProvider initial={session?.account?.language ?? undefined}>
            <Suspense>
              <SessionProvider initial={session}>
                <RouterProvider router={router} />
              </SessionProvider>
            </Suspense>
          </LanguageProvider>
        </QueryClientProvider>
      </LastResort>
    </MantineProvider>
  );
}
