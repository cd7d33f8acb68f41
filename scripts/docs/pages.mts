import { operations } from '../../packages/contract/src/index.ts';
import { operationsPage } from '../../packages/contract/src/operations-page.ts';
import { configurationPage } from './configuration.mts';
import { errorsPage } from './errors.mts';

/** Generated files by path from the root of the repository; each is a pure function of the sources. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationPage,
  'docs/errors.md': errorsPage,
  'docs/operations.md': () => operationsPage(Object.values(operations)),
};
