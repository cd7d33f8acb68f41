import { CO2_KG_PER_KWH, type Language } from '@helioport/contract';
import { wallOfDay } from '../../calendar/plant-calendar.ts';
import type { Letter } from '../../mail/letter.ts';
import type { Links } from '../messages/alarm-messages.ts';
import { wordingOf } from '../messages/words.ts';
import { newsTexts } from '../texts/texts.ts';
import type { Review } from './review.ts';

/** A week as an e-mail: how much, against what was usual, and what there is to do. */
export function weeklyLetter(language: Language, review: Review, { portalUrl, stopUrl }: Links): Letter {
  const texts = newsTexts[language].weekly;
  const { producedKwh, weekBeforeKwh, averageKwh, bestDay, income, openAlarms, onlyFirst } = review;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const kwh = (value: number): string => `${number.format(value)} kWh`;
  const row = (name: string, value: string | undefined): [string, string][] => (value === undefined ? [] : [[name, value]]);
  const rows = [
    ...row(texts.produced, producedKwh === undefined ? undefined : kwh(producedKwh)),
    ...row(texts.weekBefore, weekBeforeKwh === undefined ? undefined : kwh(weekBeforeKwh)),
    ...row(texts.average, averageKwh === undefined ? undefined : kwh(averageKwh)),
    ...row(texts.bestDay, bestDay && `${dayName(language, bestDay.day)}, ${kwh(bestDay.kwh)}`),
    ...[...income].flatMap(([currency, amount]) => row(texts.income, money(language, currency, amount))),
    ...row(texts.co2, producedKwh === undefined ? undefined : `${number.format(producedKwh * CO2_KG_PER_KWH)} kg`),
    ...row(texts.alarms, number.format(review.alarms)),
  ];
  const summary = producedKwh === undefined ? texts.nothing : texts.summary(number.format(producedKwh), changeOf(language, producedKwh, averageKwh));
  return {
    language,
    subject: texts.subject(
      new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'long' }).formatRange(wallOfDay(review.fromDay), wallOfDay(review.toDay)),
    ),
    paragraphs: [
      summary,
      ...(onlyFirst === undefined ? [] : [texts.onlyFirst(number.format(onlyFirst))]),
      openAlarms === 0 ? texts.quiet : [texts.toDo(number.format(openAlarms)), ...toDoOf(language, review)].join('\n'),
    ],
    rows,
    link: { text: texts.open, url: `${portalUrl}/` },
    footer: texts.why,
    stop: { text: newsTexts[language].stop, url: stopUrl },
  };
}

const toDoOf = (language: Language, { toDo }: Review): string[] =>
  toDo.map((alarm) => {
    const { headline, where, advice } = wordingOf(language, { alarm, says: 'began' });
    return [`${headline} (${where})`, advice].filter(Boolean).join('. ');
  });

const dayName = (language: Language, day: number): string =>
  new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }).format(wallOfDay(day));

/** The difference in percent, with its sign; undefined if there is nothing to compare with. */
function changeOf(language: Language, kwh: number, average: number | undefined): string | undefined {
  if (average === undefined || average === 0) return undefined;
  return new Intl.NumberFormat(language, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(kwh / average - 1);
}

/** An amount; plants may have a currency that is none. */
function money(language: Language, currency: string, amount: number): string {
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount);
  } catch {
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(amount)} ${currency}`;
  }
}
