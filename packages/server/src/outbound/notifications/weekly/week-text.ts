import { CO2_KG_PER_KWH, type WeekShown } from '@helioport/contract';
import type { Logger } from '../../../platform/kernel/logger.ts';
import { wallOfDay } from '../../../platform/calendar/plant-calendar.ts';
import { wordsOfLosses } from '../../performance/loss-words.ts';
import { localeOf, type MessageReader } from '../messages/reader.ts';
import { money } from '../messages/money.ts';
import { tellable, wordingOf } from '../messages/words.ts';
import { notificationTexts } from '../texts/texts.ts';
import type { Review } from './review.ts';

/** A week in the reader's language: how much, against what was usual, and what there is to do. */
export interface WeekText {
  readonly title: string;
  /** What was produced; what the figures leave out. */
  readonly paragraphs: readonly string[];
  readonly figures: readonly (readonly [name: string, value: string])[];
  /** How much is to do now, and the gravest of it. */
  readonly toDo: { readonly lead: string; readonly alarms: WeekShown['toDo'] };
}

/** @param logger told of an alarm that cannot be put into words */
export function weekText(
  reader: MessageReader,
  review: Review,
  logger?: Pick<Logger, 'error'>,
): WeekText {
  const { language } = reader;
  const locale = localeOf(reader);
  const texts = notificationTexts[language].weekly;
  const { producedKwh, weekBeforeKwh, averageKwh, bestDay, worth, openAlarms, onlyFirst, lost } =
    review;
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const kwh = (value: number): string => `${number.format(value)} kWh`;
  const row = (name: string, value: string | undefined): [string, string][] =>
    value === undefined ? [] : [[name, value]];
  const figures = [
    ...row(texts.produced, producedKwh === undefined ? undefined : kwh(producedKwh)),
    ...row(texts.weekBefore, weekBeforeKwh === undefined ? undefined : kwh(weekBeforeKwh)),
    ...row(texts.average, averageKwh === undefined ? undefined : kwh(averageKwh)),
    ...row(texts.bestDay, bestDay && `${dayName(locale, bestDay.day)}, ${kwh(bestDay.kwh)}`),
    ...[...worth].flatMap(([currency, amount]) =>
      row(texts.worth, money(locale, currency, amount)),
    ),
    ...row(
      texts.co2,
      producedKwh === undefined ? undefined : `${number.format(producedKwh * CO2_KG_PER_KWH)} kg`,
    ),
    ...row(texts.alarms, number.format(review.alarms)),
  ];
  const summary =
    producedKwh === undefined
      ? texts.nothing
      : texts.summary(number.format(producedKwh), changeOf(locale, producedKwh, averageKwh));
  return {
    title: weekTitleOf(reader, review),
    paragraphs: [
      summary,
      ...(lost === undefined
        ? []
        : [
            texts.lost(
              kwh(lost.kwh),
              wordsOfLosses[language].causes[lost.cause],
              kwh(lost.causeKwh),
              lost.plantName,
            ),
          ]),
      ...(onlyFirst === undefined ? [] : [texts.onlyFirst(number.format(onlyFirst))]),
    ],
    figures,
    toDo: {
      lead: openAlarms === 0 ? texts.quiet : texts.toDo(number.format(openAlarms)),
      alarms: toDoOf(reader, review, logger),
    },
  };
}

/** Which week it is. */
export const weekTitleOf = (
  reader: MessageReader,
  { fromDay, toDay }: Pick<Review, 'fromDay' | 'toDay'>,
): string =>
  notificationTexts[reader.language].weekly.subject(
    new Intl.DateTimeFormat(localeOf(reader), { timeZone: 'UTC', dateStyle: 'long' }).formatRange(
      wallOfDay(fromDay),
      wallOfDay(toDay),
    ),
  );

const toDoOf = (
  reader: MessageReader,
  { toDo }: Review,
  logger?: Pick<Logger, 'error'>,
): WeekShown['toDo'] =>
  tellable(
    reader,
    toDo.map((alarm) => ({ alarm, says: 'began' })),
    logger,
  ).map((one) => {
    const { what, where, advice } = wordingOf(reader, one);
    return { what, where, ...(advice !== undefined && { advice }) };
  });

const dayName = (locale: string, day: number): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(wallOfDay(day));

/** The difference in percent, with its sign; undefined if there is nothing to compare with. */
function changeOf(locale: string, kwh: number, average: number | undefined): string | undefined {
  if (average === undefined || average === 0) return undefined;
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  }).format(kwh / average - 1);
}
