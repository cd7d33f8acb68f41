import { EXAMPLE_INVITATION_ID, examplePlant } from '../../examples.ts';
import { ownRecord } from '../../records/own.ts';
import { an } from '../../records/an.ts';
import { answers, recordExampleOf, maybe, record, type InOf } from '../../records/kind.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice, id, textInput } from '../../scalars.ts';

const common = {
  family: 'shares',
  permission: 'manage',
  doors: ['portal', 'operator'],
  own: true,
} as const;

/** What a share can allow, from least to most: each allows what those before it do. */
export const shareLevels = ['read', 'control', 'install'] as const;
export type ShareLevel = (typeof shareLevels)[number];

const plantId = required(meaning('id of the plant', id('plantId')));
const withWhom = required(meaning('e-mail address of the user', textInput(254, 'email')));

const share = record('somebody who may see a plant', {
  plantId: an.text('id of the plant', examplePlant.id),
  accountId: an.text('id of the user', examplePlant.ownerId),
  email: an.text('e-mail address of the user', 'ada@example.org'),
  level: maybe(
    an.word(
      ['owner', ...shareLevels],
      'what they may by themselves; unknown: only what their company may',
      'owner',
    ),
  ),
  createdAt: an.instant('when the share began', 1_700_000_000_000),
  companyId: maybe(an.text('id of their company, if the plant is shared with it')),
  companyName: maybe(an.text('name of that company')),
  companyLevel: maybe(an.word(shareLevels, 'what they may by that company')),
});
export type Share = InOf<typeof share>;

export const shareList = defineOperation({
  ...common,
  id: 'share/list',
  write: false,
  summary: 'Lists who may see a plant, or the caller’s own plants, their owner included.',
  request: {
    plantId: meaning('id of the plant; without it, all plants of the caller’s', id('plantId')),
  },
  response: answers(share),
  errors: ['invalidValue', 'noPermission'],
  example: { request: { plantId: examplePlant.id }, data: [recordExampleOf(share)] },
});

export const shareGive = defineOperation({
  ...common,
  id: 'share/give',
  write: true,
  summary: 'Shares a plant with a user, or changes what a share allows.',
  description:
    'An owner sends an invitation: the share begins when the user accepts. The operator’s share begins at once.',
  request: {
    plantId,
    email: withWhom,
    level: meaning('what the share allows; by default, read', choice(shareLevels, 'level')),
  },
  response: ownRecord<{ readonly invitationId: string | null }>('the result', {
    invitationId: an.text('id of the invitation, if the user has to accept it'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: {
    request: { plantId: examplePlant.id, email: 'grace@example.org', level: 'read' },
    data: { invitationId: EXAMPLE_INVITATION_ID },
  },
});

export const shareWithdraw = defineOperation({
  ...common,
  id: 'share/withdraw',
  write: true,
  summary: 'Ends a share, with effect from the next request on.',
  description: 'The owner withdraws the share, or the user who received it gives it up.',
  request: { plantId, email: withWhom },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: { request: { plantId: examplePlant.id, email: 'grace@example.org' }, data: null },
});
