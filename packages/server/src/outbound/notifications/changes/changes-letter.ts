import type { ChangesByOthers } from '../../../control/commands/by-others.ts';
import type { Letter } from '../../../identity/mail/letter.ts';
import type { Links } from '../messages/alarm-messages.ts';
import { localeOf, type MessageReader } from '../messages/reader.ts';
import { notificationTexts } from '../texts/texts.ts';

/** An e-mail has at most so many rows. */
const ROWS_AT_MOST = 30;

/** What others have changed as an e-mail: who, where, how often. */
export function changesLetter(
  reader: MessageReader,
  changes: readonly ChangesByOthers[],
  names: ReadonlyMap<string, string>,
  { portalUrl, stopUrl }: Links,
): Letter {
  const { language } = reader;
  const { changes: texts, stop, more } = notificationTexts[language];
  const number = new Intl.NumberFormat(localeOf(reader));
  const total = changes.reduce((sum, { writes }) => sum + writes, 0);
  const heading = texts.heading(number.format(total));
  const left = changes.length - ROWS_AT_MOST;
  const unnamed: Readonly<Record<string, string>> = {
    operator: texts.operator,
    service: texts.service,
  };
  return {
    language,
    subject: heading,
    paragraphs: [heading, texts.lead, ...(left > 0 ? [more(number.format(left))] : [])],
    rows: changes
      .slice(0, ROWS_AT_MOST)
      .map(({ actor, plantName, writes }) => [
        names.get(actor) ?? unnamed[actor] ?? texts.unknown,
        plantName,
        number.format(writes),
      ]),
    link: { text: texts.open, url: `${portalUrl}/` },
    footer: texts.why,
    stop: { text: stop, url: stopUrl },
  };
}
