import type { ShareLevel, WireData } from '@helioport/contract';
import type { Texts } from './texts/en.ts';

/** What an account sees of companies. */
export type Company = WireData<'company/show'>;

/** What a company may do with a plant, in words. */
export const mayOf = (t: Texts, level: ShareLevel | undefined): string =>
  level === 'install' ? t.mayInstall : level === 'control' ? t.mayControl : t.maySee;
