import { an, ownRecord } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning } from '../../parameters.ts';
import { day } from '../../scalars.ts';
import { readerFields } from '../accounts/reader-fields.ts';

/** A week as its summary tells it, in the reader's language. */
export interface WeekShown {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly figures: readonly { readonly name: string; readonly value: string }[];
  readonly days: readonly { readonly day: string; readonly kwh: number | null }[];
  readonly toDoLead: string | null;
  readonly toDo: readonly {
    readonly what: string;
    readonly where: string;
    readonly advice?: string;
  }[];
  readonly earlier: string | null;
  readonly later: string | null;
}

export const weekOfPlants = defineOperation({
  family: 'notifications',
  permission: 'read',
  doors: ['portal'],
  own: true,
  id: 'notifications/week',
  write: false,
  summary: 'Tells a week as the weekly summary does: the last one that is over, or an earlier one.',
  description:
    'Of the plants that the account wants to be notified of. The last week is over on Monday at 07:00 by the account’s clock, when its summary is sent.',
  request: {
    week: meaning('a day of the week; the last week that is over by default', day('week')),
    ...readerFields,
  },
  response: ownRecord<WeekShown>('the week', {
    title: an.text('which week'),
    paragraphs: an.texts('what there is to say'),
    figures: an.objects('name and value'),
    days: an.objects('the seven days from Monday: day, and kwh produced if something was measured'),
    toDoLead: an.text(
      'how many alarms are open now; absent with earlier weeks, of which that says nothing',
    ),
    toDo: an.objects('the gravest of these: what, where, and advice if there is any'),
    earlier: an.text(
      'the Monday of the week before; absent if nothing was measured in the four weeks before',
    ),
    later: an.text('the Monday of the week after; absent if that is not over'),
  }),
  errors: ['invalidValue', 'noPermission'],
  example: {
    request: { week: '2026-06-08' },
    data: {
      title: 'Your week of June 8 – 14, 2026',
      paragraphs: ['Your plants produced 70 kWh, +150% against the average of the weeks before.'],
      figures: [{ name: 'Produced', value: '70 kWh' }],
      days: [{ day: '2026-06-08', kwh: 10 }],
      toDoLead: 'No alarm is open: there is nothing to do.',
      toDo: [],
      earlier: '2026-06-01',
    },
  },
});
