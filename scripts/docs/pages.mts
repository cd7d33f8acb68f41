import { operations } from '../../packages/contract/src/index.ts';
import { forwardingAsyncApi } from '../../packages/contract/src/asyncapi/forwarding.ts';
import { collectorAsyncApi } from '../../packages/contract/src/asyncapi/index.ts';
import { applicationOpenApi, userOpenApi } from '../../packages/contract/src/openapi/index.ts';
import { VERSION } from '../../packages/server/src/platform/kernel/version.ts';
import { architecturePage } from './architecture.mts';
import { configurationPage } from './configuration.mts';
import { devicesPage } from './devices.mts';
import { errorsPage } from './errors.mts';
import { jsonPage } from './json.mts';
import { metricsPage } from './metrics.mts';
import { oauthErrorsPage } from './oauth-errors.mts';
import { parametersPage } from './parameters.mts';

const all = Object.values(operations);

/** Generated files by path from the root of the repository; each is a pure function of the sources. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/architecture.md': architecturePage,
  'docs/asyncapi.json': () =>
    jsonPage(collectorAsyncApi({ host: '127.0.0.1:1883', version: VERSION })),
  'docs/asyncapi-forwarding.json': () => jsonPage(forwardingAsyncApi({ version: VERSION })),
  'docs/configuration.md': configurationPage,
  'docs/devices.md': devicesPage,
  'docs/errors.md': errorsPage,
  'docs/metrics.md': metricsPage,
  'docs/oauth-errors.md': oauthErrorsPage,
  'docs/openapi-user.json': () =>
    jsonPage(userOpenApi({ operations: all, url: 'http://127.0.0.1:8080', version: VERSION })),
  'docs/openapi-oauth.json': () =>
    jsonPage(
      applicationOpenApi({ operations: all, url: 'http://127.0.0.1:8081', version: VERSION }),
    ),
  'docs/parameters.md': parametersPage,
};
