import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice, id } from '../../scalars.ts';

const common = { family: 'accounts', permission: 'read', doors: ['portal'], own: true } as const;

export const exportFormats = ['csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** An export of what an account has. */
export interface ExportRecord {
  readonly id: string;
  readonly format: ExportFormat;
  readonly state: 'underway' | 'ready';
  /** 0 to 1. */
  readonly progress: number;
  readonly bytes: number;
  readonly createdAt: number;
  readonly readyAt: number | null;
  readonly expiresAt: number | null;
}

const properties = {
  id: an.text('id of the export; it is downloaded from /portal/exports/<id>'),
  format: an.text('format of the readings: csv or parquet'),
  state: an.text('underway, or ready to be downloaded'),
  progress: an.number('the share of the work that is done, 0 to 1'),
  bytes: an.number('size so far'),
  createdAt: an.instant('when it was started'),
  readyAt: an.instant('when it was ready'),
  expiresAt: an.instant('until when it can be downloaded'),
};

const exampleExport = {
  id: '1300386381676645100',
  format: 'csv',
  state: 'underway',
  progress: 0.42,
  bytes: 1_204_224,
  createdAt: 1_700_000_000_000,
};

export const exportStart = defineOperation({
  ...common,
  id: 'export/start',
  write: true,
  summary: 'Starts an export of everything that the account has, as a ZIP archive.',
  description:
    'It is written in the background: `export/list` shows how far it is. It is kept for three days; starting another one deletes it. While one is underway, this returns it. ' +
    'It holds the account, its plants, devices, tariffs, shares, key pairs without secrets, authorizations, alarms, commands, strategies, audit trail, the energy of each day, and all readings.',
  request: {
    format: meaning(
      'format of the readings: csv, the default, or parquet',
      choice(exportFormats, 'format'),
    ),
  },
  response: ownRecord<ExportRecord>('the export', properties),
  errors: ['invalidValue'],
  example: { request: { format: 'csv' }, data: { ...exampleExport, progress: 0, bytes: 0 } },
});

export const exportList = defineOperation({
  ...common,
  id: 'export/list',
  write: false,
  summary: 'Lists the account’s export, if one is underway or ready.',
  request: {},
  response: ownRecords<ExportRecord>('an export', properties),
  errors: [],
  example: { request: {}, data: [exampleExport] },
});

export const exportCancel = defineOperation({
  ...common,
  id: 'export/cancel',
  write: true,
  summary: 'Cancels an export, or deletes one that is ready.',
  request: { id: required(meaning('id of the export', id('id'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleExport.id }, data: null },
});
