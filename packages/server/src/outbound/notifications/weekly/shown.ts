import type { Language, WeekShown } from '@helioport/contract';
import type { Account } from '../../../identity/accounts/accounts.ts';
import { addDays, wallOfDay } from '../../../platform/calendar/plant-calendar.ts';
import type { FigureSources } from '../../../measurements/figures/sources.ts';
import { invalidValue } from '../../../platform/kernel/failure.ts';
import { lastMonday, mondayOf } from '../mornings.ts';
import { messageReaderOf } from '../messages/reader.ts';
import { findSettings } from '../settings/settings.ts';
import { notificationTexts } from '../texts/texts.ts';
import { reviewWeek } from './review.ts';
import { weekTitleOf, weekText } from './week-text.ts';

const WEEK = 7;

/** A week for a page, as its summary tells it. `day` is one of its days; without one, it is the last week that is over. Throws invalidValue. */
export async function showWeek(
  sources: FigureSources,
  account: Account,
  {
    day,
    language: wanted,
    region,
  }: {
    readonly day: number | undefined;
    readonly language: Language | undefined;
    readonly region: string | undefined;
  },
): Promise<WeekShown> {
  const { id: accountId, timeZone } = account;
  const latest = lastMonday(timeZone, sources.clock.now()).day;
  const monday = day === undefined ? latest : addDays(mondayOf(day), WEEK);
  if (monday > latest) throw invalidValue('week', 'a day of a week that is over');
  const { plantIds, language: own } = await findSettings(sources.db, accountId);
  const language = wanted ?? own;
  const reader = { ...messageReaderOf(account), language, ...(region !== undefined && { region }) };
  const fromDay = addDays(monday, -WEEK);
  const later = monday < latest ? isoDay(monday) : null;
  const review = await reviewWeek(sources, accountId, plantIds, monday);
  if (!review) {
    const title = weekTitleOf(reader, { fromDay, toDay: addDays(monday, -1) });
    return {
      title,
      paragraphs: [notificationTexts[language].weekly.nothing],
      figures: [],
      days: [],
      toDoLead: null,
      toDo: [],
      earlier: null,
      later,
    };
  }
  const { title, paragraphs, figures, toDo } = weekText(reader, review);
  const isLast = later === null;
  return {
    title,
    paragraphs,
    figures: figures.map(([name, value]) => ({ name, value })),
    days: Array.from({ length: WEEK }, (_, i) => addDays(fromDay, i)).map((one) => ({
      day: isoDay(one),
      kwh: review.days.get(one) ?? null,
    })),
    // What is open now says nothing of a week that is long over.
    toDoLead: isLast ? toDo.lead : null,
    toDo: isLast ? toDo.alarms : [],
    earlier: review.averageKwh === undefined ? null : isoDay(addDays(fromDay, -WEEK)),
    later,
  };
}

const isoDay = (day: number): string => new Date(wallOfDay(day)).toISOString().slice(0, 10);
