import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { id } from '../../scalars.ts';

const common = { family: 'accounts', permission: 'manage', own: true } as const;
const exampleId = '1300386381676645100';
const exampleAt = 1_700_000_000_000;

/** A permission of an owner that operators may look at all plants that the owner has. */
export interface SupportPermission {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}
const permission = {
  id: an.text('id of the permission'),
  createdAt: an.instant('when it was given'),
  expiresAt: an.instant('when it ends, unless it is ended before'),
};
const examplePermission = { id: exampleId, createdAt: exampleAt, expiresAt: exampleAt + 3_600_000 };

export const supportAllow = defineOperation({
  ...common,
  doors: ['portal'],
  id: 'support/allow',
  write: true,
  summary:
    'Lets operators of this service look at the caller’s own plants, for an hour. A permission that the caller has given before ends.',
  description:
    'They cannot change anything, and see neither plants that others share with the caller, nor key pairs, nor anything secret. What they look at is recorded.',
  request: {},
  response: ownRecord<SupportPermission>('the permission', permission),
  errors: ['noPermission'],
  example: { request: {}, data: examplePermission },
});

export const supportEnd = defineOperation({
  ...common,
  doors: ['portal', 'console'],
  id: 'support/end',
  write: true,
  summary: 'Ends a permission to look, at once: for the one who gave it, and for operators.',
  request: { id: required(meaning('id of the permission', id('id'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleId }, data: null },
});

/** Something that an operator looked at. */
export interface SupportLook {
  readonly operator: string;
  readonly operation: string;
  /** The plant or device that it was asked about; '' = none, or all. */
  readonly subject: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
}

export interface PastSupport extends SupportPermission {
  readonly endedAt: number | null;
  readonly endedBy: 'owner' | 'operator' | null;
  readonly looks: readonly SupportLook[];
}

export const supportList = defineOperation({
  ...common,
  permission: 'read',
  doors: ['portal'],
  id: 'support/list',
  write: false,
  summary:
    'Lists the latest permissions to look that the caller has given, newest first, and what operators looked at.',
  request: {},
  response: ownRecords<PastSupport>('a permission', {
    ...permission,
    endedAt: an.instant('when it was ended before its time'),
    endedBy: an.text('who ended it: owner or operator'),
    looks: an.objects(
      'what was looked at: operator (e-mail address), operation, subject (what it was asked about), firstAt, lastAt, count',
    ),
  }),
  errors: ['noPermission'],
  example: { request: {}, data: [{ ...examplePermission, looks: [] }] },
});

export interface OpenSupport extends SupportPermission {
  readonly email: string;
  readonly name: string;
}

export const supportOpen = defineOperation({
  ...common,
  permission: 'read',
  doors: ['console'],
  id: 'support/open',
  write: false,
  summary: 'Lists who lets operators look at this moment.',
  request: {},
  response: ownRecords<OpenSupport>('a permission', {
    ...permission,
    email: an.text('e-mail address of who gave it'),
    name: an.text('name of who gave it'),
  }),
  errors: [],
  example: { request: {}, data: [{ ...examplePermission, email: 'ada@example.org', name: 'ada' }] },
});
