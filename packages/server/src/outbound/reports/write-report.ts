import type { PlantReport, ReportTable } from '@helioport/contract';
import { daysOfMonth, daysBetween, wallOfDay } from '../../platform/calendar/plant-calendar.ts';
import { localeOf, type MessageReader } from '../notifications/messages/reader.ts';
import { tellable, wordingOf } from '../notifications/messages/words.ts';
import { money } from '../notifications/messages/money.ts';
import { wordsOfLosses } from '../performance/loss-words.ts';
import type { ReportFacts } from './report-facts.ts';
import { reportTexts, type ReportTexts } from './texts/texts.ts';

/** So many rows have a place on two pages. */
const [LOSSES, ALARMS, VISITS] = [12, 8, 6] as const;

/** A report in its reader's language. */
export function writeReport(reader: MessageReader, facts: ReportFacts): PlantReport {
  const t = reportTexts[reader.language];
  const write = writer(localeOf(reader), facts.plant.currency);
  const { month, thisMonth, firstMonth, plant, letterhead, produced, days } = facts;
  const { fromDay, toDay } = daysOfMonth(month);
  const expected = new Map(days.map(({ day, expectedKwh }) => [day, expectedKwh]));
  return {
    plantName: plant.name,
    title: write.month(fromDay),
    company: letterhead?.name ?? null,
    logo: letterhead?.logo ?? null,
    paragraphs: paragraphsOf(t, write, facts),
    figures: figuresOf(t, write, facts),
    bars: {
      title: t.days,
      produced: t.produced,
      expected: t.expected,
      days: daysBetween(fromDay, toDay).map((day) => ({
        day: isoDay(day),
        producedKwh: produced.get(day) ?? null,
        expectedKwh: expected.get(day) ?? null,
      })),
    },
    tables: [
      lossTable(reader, t, write, facts),
      alarmTable(reader, t, facts),
      visitTable(reader, t, write, facts),
    ],
    notes: notesOf(t, write, facts),
    month: isoMonth(month),
    earlier: month > firstMonth ? isoMonth(after(month, -1)) : null,
    later: month < thisMonth ? isoMonth(after(month, 1)) : null,
  };
}

type Writer = ReturnType<typeof writer>;

function writer(locale: string, currency: string) {
  const date = (style: Intl.DateTimeFormatOptions) => (day: number) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...style }).format(wallOfDay(day));
  const number = (value: number, digits: number): string =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  return {
    number,
    kwh: (value: number) => `${number(value, Math.abs(value) < 100 ? 1 : 0)} kWh`,
    percent: (value: number, digits = 0) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(
        value / 100,
      ),
    money: (amount: number | null | undefined) =>
      typeof amount !== 'number' ? '' : money(locale, currency, amount),
    month: date({ month: 'long', year: 'numeric' }),
    day: date({ dateStyle: 'medium' }),
  };
}

function paragraphsOf(t: ReportTexts, write: Writer, facts: ReportFacts): string[] {
  const { whole, yearBeforeKwh } = facts;
  const kwh = sumOf(facts.produced.values());
  if (kwh === undefined) return [t.nothing];
  const { sharePercent: share, verdict, missing } = whole ?? {};
  const known = facts.days.filter(({ expectedKwh }) => typeof expectedKwh === 'number').length;
  const change = yearBeforeKwh ? (100 * kwh) / yearBeforeKwh : undefined;
  return [
    typeof share !== 'number' || !verdict
      ? t.onlyProduced(write.kwh(kwh))
      : t.share(write.kwh(kwh), write.percent(share), t.verdicts[verdict]),
    ...(typeof share === 'number'
      ? []
      : known > 0
        ? [t.fewDays(write.number(known, 0))]
        : missing
          ? [t.missing[missing]]
          : []),
    ...(change === undefined
      ? []
      : [t.yearBefore(write.percent(change), write.kwh(yearBeforeKwh!))]),
  ];
}

function figuresOf(t: ReportTexts, write: Writer, facts: ReportFacts): PlantReport['figures'] {
  const { whole, losses, worth, yearBeforeKwh } = facts;
  const kwh = sumOf(facts.produced.values());
  const figure = (name: string, value: string | undefined | false) =>
    value ? [{ name, value }] : [];
  const of = (
    value: number | null | undefined,
    text: (value: number) => string,
  ): string | undefined => (typeof value === 'number' ? text(value) : undefined);
  return [
    ...figure(t.produced, of(kwh, write.kwh)),
    ...figure(t.expected, of(whole?.expectedKwh, write.kwh)),
    ...figure(t.shareName, of(whole?.sharePercent, write.percent)),
    ...figure(t.yearBeforeName, of(yearBeforeKwh, write.kwh)),
    ...figure(t.worth, of(worth, write.money)),
    ...figure(t.lost, of(losses?.lostKwh, write.kwh)),
    ...figure(t.lostWorth, of(losses?.lostAmount, write.money)),
    ...figure(
      t.ratio,
      of(whole?.performanceRatioPercent, (ratio) => write.percent(ratio)),
    ),
    ...figure(
      t.availability,
      of(losses?.timeAvailabilityPercent, (share) => write.percent(share, 1)),
    ),
    ...figure(t.openAlarms, write.number(facts.alarms.length, 0)),
  ];
}

const lossTable = (
  { language }: MessageReader,
  t: ReportTexts,
  write: Writer,
  { losses }: ReportFacts,
): ReportTable => {
  const { causes, confidences } = wordsOfLosses[language];
  return {
    title: t.losses,
    columns: [t.cause, t.device, t.certainty, t.energy, t.value],
    figures: 2,
    rows: (losses?.losses ?? [])
      .slice(0, LOSSES)
      .map(({ cause, sn, confidence, kwh, amount }) => [
        causes[cause],
        sn ?? '',
        cause === 'unexplained' ? '' : confidences[confidence],
        write.kwh(kwh),
        write.money(amount),
      ]),
    none: t.noLosses,
  };
};

const alarmTable = (
  reader: MessageReader,
  t: ReportTexts,
  { alarms }: ReportFacts,
): ReportTable => ({
  title: t.openAlarms,
  columns: [t.alarm, t.device],
  figures: 0,
  rows: tellable(
    reader,
    alarms.slice(0, ALARMS).map((alarm) => ({ alarm, says: 'began' })),
  ).map((said) => {
    const { what, where } = wordingOf(reader, said);
    return [what, where];
  }),
  none: t.noAlarms,
});

const visitTable = (
  { language }: MessageReader,
  t: ReportTexts,
  write: Writer,
  { visits }: ReportFacts,
): ReportTable => {
  const { causes } = wordsOfLosses[language];
  return {
    title: t.visits,
    columns: [t.cause, t.device, t.since, t.energyPerYear, t.valuePerYear],
    figures: 2,
    rows: visits
      .slice(0, VISITS)
      .map(({ cause, sn, since, kwhPerYear, amountPerYear }) => [
        causes[cause],
        sn ?? '',
        write.day(since),
        write.kwh(kwhPerYear),
        write.money(amountPerYear),
      ]),
    none: t.noVisits,
  };
};

function notesOf(t: ReportTexts, write: Writer, { whole, losses }: ReportFacts): string[] {
  const { uncertaintyPercent, days = 0, licence } = whole ?? {};
  const pending = losses?.pendingDays ?? 0;
  return [
    ...(typeof uncertaintyPercent !== 'number'
      ? []
      : [t.uncertainty(write.percent(uncertaintyPercent), write.number(days, 0))]),
    ...(typeof losses?.lostKwh !== 'number' ? [] : [t.unexplained]),
    ...(pending > 0 ? [t.pending(write.number(pending, 0))] : []),
    ...(licence ? [`${t.service} ${licence}`] : []),
    t.today,
  ];
}

function sumOf(values: Iterable<number>): number | undefined {
  const all = [...values];
  return all.length > 0 ? all.reduce((sum, value) => sum + value, 0) : undefined;
}

const after = (month: number, months: number): number => {
  const count = Math.trunc(month / 100) * 12 + (month % 100) - 1 + months;
  return Math.trunc(count / 12) * 100 + (count % 12) + 1;
};

const isoDay = (day: number): string => new Date(wallOfDay(day)).toISOString().slice(0, 10);
const isoMonth = (month: number): string => isoDay(month * 100 + 1).slice(0, 7);
