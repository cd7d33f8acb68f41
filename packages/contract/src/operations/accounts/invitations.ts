import { EXAMPLE_INVITATION_ID, examplePage, examplePlant } from '../../examples.ts';
import { nothing, page } from '../../compat/field-kinds/containers.ts';
import { an, ownRecord } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { flag, id } from '../../scalars.ts';
import { paging } from '../../requests.ts';
import type { ShareLevel } from './shares.ts';
import { whose } from './users.ts';

const common = {
  family: 'invitations',
  permission: 'manage',
  doors: ['signed', 'portal', 'operator'],
  own: true,
} as const;

export const invitationKinds = ['share', 'installer', 'owner'] as const;
export type InvitationKind = (typeof invitationKinds)[number];

export const invitationStates = ['open', 'accepted', 'declined', 'withdrawn', 'expired'] as const;
export type InvitationState = (typeof invitationStates)[number];

/** An invitation as both sides see it. */
export interface InvitationRecord {
  readonly id: string;
  readonly direction: 'sent' | 'received';
  readonly kind: InvitationKind;
  readonly level: ShareLevel | null;
  /** Of an offer to own the plant: what the sender keeps, unless the invitee accepts without that. */
  readonly keeps: ShareLevel | null;
  /** Of an offer to own the plant: who else goes on installing it, with control; an e-mail address or the name of a company. */
  readonly installer: string | null;
  /** Whether that ends, too, if the invitee accepts without the sender. */
  readonly installerEnds: boolean;
  /** Of an offer to own the plant: how many of its collectors send with tokens that others may know; these end, too, if the invitee accepts without the sender. */
  readonly collectors: number | null;
  readonly plantId: string;
  readonly plantName: string;
  readonly from: string;
  /** The address or id that the sender named; does not reveal whether there is such an account. */
  readonly to: string;
  readonly state: InvitationState;
  /** Name of the company that it was accepted for, while that exists. */
  readonly company: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly answeredAt: number | null;
  readonly accessEnded: boolean;
}

const record = ownRecord<InvitationRecord>('an invitation', {
  id: an.text('id of the invitation'),
  direction: an.text('sent or received'),
  kind: an.text(
    'share: to see, control or install the plant; installer: to be its installer, with control; owner: to own the plant',
  ),
  level: an.text('what a share allows: read, control or install'),
  keeps: an.text(
    'of an open offer to own the plant, what its sender may do afterwards: read, control or install',
  ),
  installer: an.text(
    'of an open offer to own the plant, who else goes on installing it and may control it: an e-mail address or the name of a company',
  ),
  installerEnds: an.flag(
    'whether that installer belongs to the sender’s side, which keeps nothing if the offer is accepted with withoutSender',
  ),
  collectors: an.number(
    'of an open offer to own the plant, how many of its collectors send with tokens that the sender may know: who knows one can send false readings and take commands; accepting with withoutSender ends these tokens, too',
  ),
  plantId: an.text('id of the plant'),
  plantName: an.text('name of the plant; once the invitation is over, the name that it had then'),
  from: an.text('e-mail address of the sender'),
  to: an.text('e-mail address or user id of the invited user, as the sender gave it'),
  state: an.text('open, accepted, declined, withdrawn or expired'),
  company: an.text('name of the company that it was accepted for'),
  createdAt: an.instant('when the invitation was sent'),
  expiresAt: an.instant('until when the invitation may be accepted'),
  answeredAt: an.instant('when it was accepted, declined or withdrawn'),
  accessEnded: an.flag(
    'whether it was accepted, and the person who accepted it sees the plant no longer; its sender learns that only while they own the plant',
  ),
});

const invitations = page({
  schema: record.schema,
  project: record.project,
  text: (one: InvitationRecord) => JSON.stringify(record.project(one)),
});

const one = required(meaning('id of the invitation', id('id')));
const exampleInvitation: InvitationRecord = {
  id: EXAMPLE_INVITATION_ID,
  direction: 'received',
  kind: 'share',
  level: 'read',
  keeps: null,
  installer: null,
  installerEnds: false,
  collectors: null,
  plantId: examplePlant.id,
  plantName: examplePlant.name,
  from: 'ada@example.org',
  to: 'grace@example.org',
  state: 'open',
  company: null,
  createdAt: 1_700_000_000_000,
  expiresAt: 1_702_592_000_000,
  answeredAt: null,
  accessEnded: false,
};

const { pageNo, pageSize } = paging;

export const invitationList = defineOperation({
  ...common,
  permission: 'read',
  id: 'invitation/list',
  write: false,
  summary: 'Lists invitations that an account has sent or received, newest first.',
  request: { pageNo, pageSize, email: whose },
  response: invitations,
  errors: ['invalidValue', 'noPermission', 'accountUnknown'],
  example: { request: {}, data: invitations.project(examplePage(exampleInvitation)) },
});

/** Invitations to an account that can still be accepted. */
export interface OpenInvitations {
  /** To plants. */
  readonly plants: number;
  /** To companies. */
  readonly companies: number;
}

export const invitationOpen = defineOperation({
  ...common,
  doors: ['portal'],
  permission: 'read',
  id: 'invitation/open',
  write: false,
  summary: 'Counts the invitations that wait for the account’s answer.',
  request: {},
  response: ownRecord<OpenInvitations>('open invitations', {
    plants: an.number('number of invitations to see, control, install or own a plant'),
    companies: an.number('number of invitations to join a company'),
  }),
  errors: ['noPermission'],
  example: { request: {}, data: { plants: 1, companies: 0 } },
});

const answer = <const Id extends string>(operationId: Id, summary: string, description: string) =>
  defineOperation({
    ...common,
    id: operationId,
    write: true,
    summary,
    description,
    request: { id: one },
    response: nothing,
    errors: ['missingParameter', 'invalidValue', 'noPermission'],
    example: { request: { id: exampleInvitation.id }, data: null },
  });

const UNRESTRICTED = 'A key that is restricted to some plants, or to reading, cannot do this.';

const accept = answer(
  'invitation/accept',
  'Accepts an invitation, with immediate effect.',
  UNRESTRICTED,
);
const forCompany = meaning(
  '1: for everybody in the account’s company, not for the account alone; not to own a plant',
  flag('forCompany'),
);
const withoutSender = meaning(
  '1: the person who offers the plant keeps no access to it, whatever the offer says, and neither do their company and their colleagues; the tokens of its collectors end, and are to be replaced (collector/replaceToken); only to own a plant',
  flag('withoutSender'),
);

export const invitationAccept = {
  ...accept,
  request: { ...accept.request, forCompany, withoutSender },
};
export const invitationDecline = answer(
  'invitation/decline',
  'Declines an invitation.',
  UNRESTRICTED,
);
export const invitationWithdraw = answer(
  'invitation/withdraw',
  'Withdraws an invitation that has not been answered.',
  'After acceptance, use other means: withdraw the share, or name another installer.',
);
