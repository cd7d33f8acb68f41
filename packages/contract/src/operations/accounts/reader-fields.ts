import { meaning } from '../../parameters.ts';
import { choice, region } from '../../scalars.ts';
import { languageTags } from './account.ts';

/** For whom texts and figures are written. */
export const readerFields = {
  language: meaning(
    'language of the texts; that of the account by default',
    choice(languageTags, 'language'),
  ),
  region: meaning(
    'region after whose habits figures and days are written, such as `GB`; by default those of its language',
    region('region'),
  ),
};
