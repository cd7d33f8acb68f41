import type { Letter } from '../../../identity/mail/letter.ts';
import { notificationTexts } from '../texts/texts.ts';
import { localeOf, type MessageReader } from './reader.ts';
import { countsOf, headingOf, wordingOf, type SaidAlarm } from './words.ts';

/** What a browser shows of a push message. */
export interface PushText {
  readonly title: string;
  readonly body: string;
  /** Path within the portal. */
  readonly url: string;
}

/** A message says at most so much of single alarms; of many more, it counts the kinds. */
const LISTED_AT_MOST = 8;
const KINDS_AT_MOST = 20;
const PLANTS_NAMED = 10;

/** Push services take 4,096 bytes of everything. RFC 8030 7.2 */
const PUSH_LETTERS = 300;

const INBOX = '/alarms';

/** Where links of messages lead. */
export interface Links {
  /** Address of the portal, without a slash at its end. */
  readonly portalUrl: string;
  /** Where this account stops these e-mails. */
  readonly stopUrl: string;
}

/** Alarms as an e-mail. */
export function alarmLetter(
  reader: MessageReader,
  said: readonly SaidAlarm[],
  { portalUrl, stopUrl }: Links,
): Letter {
  const { language } = reader;
  const texts = notificationTexts[language];
  const link = { text: texts.open, url: `${portalUrl}${INBOX}` };
  const end = { language, link, footer: texts.why, stop: { text: texts.stop, url: stopUrl } };
  const [only] = said;
  if (said.length === 1) {
    const { headline, where, advice } = wordingOf(reader, only!);
    return {
      subject: headline,
      paragraphs: [headline, where, ...(advice === undefined ? [] : [advice])],
      ...end,
    };
  }
  const heading = headingOf(reader, said);
  if (said.length <= LISTED_AT_MOST) {
    const wordings = said.map((one) => wordingOf(reader, one));
    return {
      subject: heading,
      paragraphs: wordings.map(({ headline, where, advice }) =>
        [headline, where, advice].filter(Boolean).join('\n'),
      ),
      ...end,
    };
  }
  return {
    subject: heading,
    paragraphs: [
      heading,
      ...countsOf(reader, said).slice(0, KINDS_AT_MOST),
      plantsOf(reader, said),
    ],
    ...end,
  };
}

/** The plants of many alarms, the first of them by name. */
function plantsOf(reader: MessageReader, said: readonly SaidAlarm[]): string {
  const names = [...new Map(said.map(({ alarm }) => [alarm.plantId, alarm.plantName])).values()];
  const rest = names.length - PLANTS_NAMED;
  const more =
    rest > 0
      ? [
          notificationTexts[reader.language].more(
            new Intl.NumberFormat(localeOf(reader)).format(rest),
          ),
        ]
      : [];
  return [...names.slice(0, PLANTS_NAMED), ...more].join(', ');
}

/** Alarms as a push message. */
export function alarmPush(reader: MessageReader, said: readonly SaidAlarm[]): PushText {
  if (said.length > 1)
    return {
      title: headingOf(reader, said),
      body: cut(countsOf(reader, said).join('\n')),
      url: INBOX,
    };
  const { headline, where, advice } = wordingOf(reader, said[0]!);
  return {
    title: cut(headline),
    body: cut([where, advice].filter(Boolean).join('\n')),
    url: INBOX,
  };
}

const cut = (text: string): string => [...text].slice(0, PUSH_LETTERS).join('');

/** Alarms for a program: the data of a webhook's message. */
export const alarmData = (said: readonly SaidAlarm[]) => ({
  alarms: said.map(({ alarm, says }) => {
    const {
      id: alarmId,
      code,
      level,
      message,
      plantId,
      plantName,
      sn: deviceSn,
      beginAt,
      endAt,
    } = alarm;
    return { alarmId, says, code, level, message, plantId, plantName, deviceSn, beginAt, endAt };
  }),
});
