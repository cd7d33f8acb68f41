import type { AdviceReader } from '@helioport/contract/alarm-words/advice';
import type { Language } from '@helioport/contract';
import type { Account } from '../../../identity/accounts/accounts.ts';
import { regionOf } from '../../../fleet/plants/zone-currency.ts';
import { NO_NOTIFICATIONS } from '../settings/settings.ts';

/** In whose words a message is written, after the habits of which region its figures and times are, and to whom its advice speaks. */
export interface MessageReader {
  readonly language: Language;
  /** Undefined: the language's own. */
  readonly region?: string | undefined;
  readonly advice: AdviceReader;
}

/** The tag by which times and figures are written for a reader. */
export const localeOf = ({ language, region }: Omit<MessageReader, 'advice'>): string =>
  region === undefined ? language : `${language}-${region}`;

/** How an account is written to where no browser says its region: as people write where its clock is. */
export const messageReaderOf = ({
  language,
  timeZone,
  role,
}: Pick<Account, 'language' | 'timeZone' | 'role'>): MessageReader => ({
  language: language ?? NO_NOTIFICATIONS.language,
  region: regionOf(timeZone),
  advice: role === 'installer' ? 'installer' : 'owner',
});
