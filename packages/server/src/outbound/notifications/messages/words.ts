import type { Language } from '@helioport/contract';
import { adviceOf, alarmWordsOf } from '@helioport/contract/alarm-words/advice';
import { deviceAdviceOf } from '@helioport/contract/alarm-words/device/matter';
import { titleOf } from '@helioport/contract/alarm-words/title';
import type { Logger } from '../../../platform/kernel/logger.ts';
import { notificationTexts } from '../texts/texts.ts';
import { localeOf, type MessageReader } from './reader.ts';
import { money } from './money.ts';
import type { Says, NotifiedAlarm } from './notified-alarms.ts';

/** An alarm and what is said of it. */
export interface SaidAlarm {
  readonly alarm: NotifiedAlarm;
  readonly says: Says;
  /** It cannot be put into the reader's words; it is told by its code alone. */
  readonly isPlain?: true;
}

/** An alarm in words. */
export interface AlarmWording {
  /** What is wrong at which plant. */
  readonly what: string;
  /** What is wrong at which plant, and whether it has begun or ended, in one line. */
  readonly headline: string;
  /** Which device, and since when on the plant's clock. */
  readonly where: string;
  readonly advice: string | undefined;
}

/** A time on a plant's wall clock, with its zone. */
const timeAt = (locale: string, timeZone: string, at: number): string =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(at);

/** Alarms as they can be told: one that cannot be put into words keeps no other, nor itself, from its reader. */
export const tellable = (
  reader: MessageReader,
  said: readonly SaidAlarm[],
  logger?: Pick<Logger, 'error'>,
): SaidAlarm[] =>
  said.map((one) => {
    try {
      wordingOf(reader, one);
      return one;
    } catch (err) {
      logger?.error(
        { err, alarm: one.alarm.id, language: reader.language },
        'an alarm could not be put into words; it is told by its code',
      );
      return { ...one, isPlain: true };
    }
  });

export function wordingOf(
  reader: MessageReader,
  { alarm, says, isPlain }: SaidAlarm,
): AlarmWording {
  const { language } = reader;
  const texts = notificationTexts[language];
  if (isPlain) {
    const what = `${plainTitle(language, alarm)} ${texts.at(alarm.plantName)}`;
    return {
      what,
      headline: `${what}: ${texts.says[says]}`,
      where: texts.device(alarm.sn),
      advice: undefined,
    };
  }
  const locale = localeOf(reader);
  const { sn, plantName, timeZone, beginAt, endAt } = alarm;
  const begin = timeAt(locale, timeZone, beginAt);
  const time =
    endAt === null ? texts.since(begin) : texts.fromTo(begin, timeAt(locale, timeZone, endAt));
  const what = `${alarmTitle(reader, alarm)} ${texts.at(plantName)}`;
  return {
    what,
    headline: `${what}: ${texts.says[says]}`,
    where: `${texts.device(sn)}, ${time} (${timeZone})${costIn(reader, alarm)}`,
    advice: says === 'began' ? adviceIn(reader, alarm) : undefined,
  };
}

/** What an alarm has cost so far, where that is known and worth a word. */
function costIn(reader: MessageReader, { lostKwh, lostAmount, currency }: NotifiedAlarm): string {
  if (lostKwh === null || lostKwh < 0.1) return '';
  const locale = localeOf(reader);
  const energy = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(lostKwh);
  const worth = lostAmount === null ? '' : `, ${money(locale, currency, lostAmount)}`;
  return `. ${notificationTexts[reader.language].lost(`${energy} kWh${worth}`)}`;
}

function adviceIn(
  { language, advice }: MessageReader,
  { code, message }: NotifiedAlarm,
): string | undefined {
  const { alarms, deviceAdvice } = notificationTexts[language];
  const words = alarmWordsOf(alarms, code);
  return words ? adviceOf(words, message, advice) : deviceAdviceOf(deviceAdvice, code);
}

/** What is wrong: in the reader's language for alarms of the service; devices have words of their own. */
function alarmTitle(reader: MessageReader, { code, message }: NotifiedAlarm): string {
  const { language } = reader;
  const words = alarmWordsOf(notificationTexts[language].alarms, code);
  return words
    ? titleOf(words, message, new Intl.NumberFormat(localeOf(reader)).format)
    : plainTitle(language, { code, message });
}

const plainTitle = (
  language: Language,
  { code, message }: Pick<NotifiedAlarm, 'code' | 'message'>,
): string => `${notificationTexts[language].deviceAlarm(code)} (${message})`;

/** The heading of several alarms. */
export function headingOf(reader: MessageReader, said: readonly SaidAlarm[]): string {
  const number = new Intl.NumberFormat(localeOf(reader));
  const plants = new Set(said.map(({ alarm }) => alarm.plantId)).size;
  return notificationTexts[reader.language].several(
    number.format(said.length),
    number.format(plants),
  );
}

/** How many alarms there are of each kind, for a message about many: `Device not reporting: 500`. */
export function countsOf(reader: MessageReader, said: readonly SaidAlarm[]): string[] {
  const texts = notificationTexts[reader.language];
  const number = new Intl.NumberFormat(localeOf(reader));
  const kinds = Map.groupBy(
    said,
    ({ alarm: { code }, says, isPlain }) =>
      `${(isPlain ? undefined : alarmWordsOf(texts.alarms, code)?.title) ?? texts.deviceAlarm(code)}, ${texts.says[says]}`,
  );
  return [...kinds]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([kind, its]) => `${kind}: ${number.format(its.length)}`);
}
