import type { Letter } from '../../../identity/mail/letter.ts';
import type { Links } from '../messages/alarm-messages.ts';
import type { MessageReader } from '../messages/reader.ts';
import { notificationTexts } from '../texts/texts.ts';
import type { Review } from './review.ts';
import { weekText } from './week-text.ts';

/** A week as an e-mail. */
export function weeklyLetter(
  reader: MessageReader,
  review: Review,
  { portalUrl, stopUrl }: Links,
  logger?: Parameters<typeof weekText>[2],
): Letter {
  const { language } = reader;
  const { weekly: texts, stop } = notificationTexts[language];
  const { title, paragraphs, figures, toDo } = weekText(reader, review, logger);
  return {
    language,
    subject: title,
    paragraphs: [
      ...paragraphs,
      [
        toDo.lead,
        ...toDo.alarms.map(({ what, where, advice }) =>
          [what, where, advice].filter(Boolean).join('. '),
        ),
      ].join('\n'),
    ],
    rows: figures.map((figure) => [...figure]),
    link: { text: texts.open, url: `${portalUrl}/` },
    footer: texts.why,
    stop: { text: stop, url: stopUrl },
  };
}
