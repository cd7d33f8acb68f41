import { examplePlant } from '../../examples.ts';
import { an, ownRecord } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { id, month } from '../../scalars.ts';
import { readerFields } from '../accounts/reader-fields.ts';

/** A table of a report; `none` stands in the place of rows. */
export interface ReportTable {
  readonly title: string;
  readonly columns: readonly string[];
  /** How many of the last columns are figures. */
  readonly figures: number;
  readonly rows: readonly (readonly string[])[];
  readonly none: string;
}

/** What a plant did in a month, in the reader's language. */
export interface PlantReport {
  readonly plantName: string;
  readonly title: string;
  /** The company whose report it is. */
  readonly company: string | null;
  /** A data URI. */
  readonly logo: string | null;
  readonly paragraphs: readonly string[];
  readonly figures: readonly { readonly name: string; readonly value: string }[];
  readonly bars: {
    readonly title: string;
    readonly produced: string;
    readonly expected: string;
    readonly days: readonly {
      readonly day: string;
      readonly producedKwh: number | null;
      readonly expectedKwh: number | null;
    }[];
  };
  readonly tables: readonly ReportTable[];
  readonly notes: readonly string[];
  /** yyyy-mm */
  readonly month: string;
  readonly earlier: string | null;
  readonly later: string | null;
}

export const plantReport = defineOperation({
  family: 'plants',
  permission: 'read',
  doors: ['portal'],
  own: true,
  id: 'plant/report',
  write: false,
  summary: 'Tells what a plant did in a month, as it is printed: up to yesterday.',
  description:
    'The figures are those of performance/energy, performance/losses and performance/visits and of the plant’s charts, written for people. The portal shows and prints it, and has it as PDF.',
  request: {
    plantId: required(meaning('id of the plant', id('plantId'))),
    month: meaning('the month; the last one that is over by default', month('month')),
    ...readerFields,
  },
  response: ownRecord<PlantReport>('the report', {
    plantName: an.text('name of the plant'),
    title: an.text('which month'),
    company: an.text('name of the company that is the plant’s installer, or of the reader’s'),
    logo: an.text('its logo, as a data URI'),
    paragraphs: an.texts('what there is to say'),
    figures: an.objects('name and value'),
    bars: {
      type: 'object',
      description:
        'what is called title, produced and expected, and days: day, producedKwh, expectedKwh',
    },
    tables: an.objects('title, columns, figures (how many of the last columns are), rows, none'),
    notes: an.texts('what the figures rest on'),
    month: an.text('the month'),
    earlier: an.text('the month before; absent if the plant was not there yet'),
    later: an.text('the month after; absent if it has not begun'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id, month: '2026-11' },
    data: {
      plantName: examplePlant.name,
      title: 'November 2026',
      company: 'Sun & Sons',
      paragraphs: ['The plant produced 61.2 kWh, 94% of what the sun allowed: normal.'],
      figures: [{ name: 'Produced', value: '61.2 kWh' }],
      bars: {
        title: 'Days',
        produced: 'Produced',
        expected: 'Expected',
        days: [{ day: '2026-11-01', producedKwh: 2.1, expectedKwh: 2.2 }],
      },
      tables: [],
      notes: [],
      month: '2026-11',
      earlier: '2026-10',
    },
  },
});
