import { EXAMPLE_INVITATION_ID, examplePage, examplePlant } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { nothing, page } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { paging } from '../../requests.ts';
import { choice, distinctList, id, textInput } from '../../scalars.ts';
import { shareLevels, type ShareLevel } from './shares.ts';
import { whose } from './users.ts';

const family = 'companies';
const people = { family, permission: 'manage', doors: ['portal'], own: true } as const;
const both = { ...people, doors: ['portal', 'operator'] } as const;

/** A logo has at most so many bytes, and so many pixels each way. */
export const [LOGO_BYTES, LOGO_PIXELS] = [64 * 1024, 1_000] as const;
/** One white pixel. */
const EXAMPLE_LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==';

export const companyRoles = ['manager', 'member'] as const;
export type CompanyRole = (typeof companyRoles)[number];

/** Somebody in a company. */
export interface CompanyMember {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: CompanyRole;
  readonly createdAt: number;
}

/** An invitation that a company has sent. */
export interface CompanyInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: CompanyRole;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** An invitation to a company that somebody has received. */
export interface CompanyOffer {
  readonly id: string;
  readonly companyName: string;
  readonly from: string;
  readonly role: CompanyRole;
  readonly expiresAt: number;
}

/** The company of an account, if it belongs to one, and offers to join one. */
export interface CompanyView {
  readonly id: string | null;
  readonly name: string | null;
  readonly role: CompanyRole | null;
  /** A data URI. */
  readonly logo: string | null;
  readonly members: readonly CompanyMember[];
  readonly invitations: readonly CompanyInvitation[];
  readonly offers: readonly CompanyOffer[];
  readonly plants: number;
  /** Own plants that the company could be given. */
  readonly ungiven: number;
  /** The names of the first of them. */
  readonly ungivenNames: readonly string[];
  /** Plants of others that the account has access to by itself, and could bring; at most 100. */
  readonly bringable: readonly {
    readonly id: string;
    readonly name: string;
    readonly owner: string;
    readonly level: ShareLevel;
  }[];
}

export interface CompanyPlant {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly level: ShareLevel;
  readonly isInstaller: boolean;
  readonly createdAt: number;
}

const exampleId = '1300386381676645200';
const exampleAt = 1_700_000_000_000;
const colleague = required(
  meaning('e-mail address of somebody in the company', textInput(254, 'email')),
);
const name = required(meaning('name of the company', textInput(100, 'name')));
const plantId = required(meaning('id of the plant', id('plantId')));
const invitation = required(meaning('id of the invitation', id('id')));
const roleOf = choice(companyRoles, 'role');
const exampleMember: CompanyMember = {
  accountId: examplePlant.ownerId,
  email: 'ada@example.org',
  name: 'ada',
  role: 'manager',
  createdAt: exampleAt,
};

export const companyShow = defineOperation({
  ...both,
  permission: 'read',
  id: 'company/show',
  write: false,
  summary: 'Shows the company to which an account belongs, who is in it, and offers to join one.',
  request: { email: whose },
  response: ownRecord<CompanyView>('the company', {
    id: an.text('id of the company; missing if the account belongs to none'),
    name: an.text('name of the company'),
    role: an.text('what the account is there: manager or member'),
    logo: an.text('its logo, as a data URI'),
    members: an.objects(
      'who is in the company, the longest-standing first: accountId, email, name, role, createdAt',
    ),
    invitations: an.objects(
      'for managers, invitations that nobody has answered: id, email, role, createdAt, expiresAt',
    ),
    offers: an.objects('invitations to the account: id, companyName, from, role, expiresAt'),
    plants: an.number('number of plants of the company'),
    ungiven: an.number('number of the account’s own plants that the company does not have'),
    ungivenNames: an.texts('names of the first ten of them'),
    bringable: an.objects(
      'plants of others that the account alone may see or control and could bring into the company, at most 100: id, name, owner, level',
    ),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: {
    request: {},
    data: {
      id: exampleId,
      name: 'Sun & Sons',
      role: 'manager',
      members: [exampleMember],
      invitations: [],
      offers: [],
      plants: 1,
      ungiven: 0,
      ungivenNames: [],
      bringable: [],
    },
  },
});

export const companyFound = defineOperation({
  ...people,
  id: 'company/found',
  write: true,
  summary: 'Founds a company with the caller as its manager.',
  description: 'An account belongs to one company at most.',
  request: { name },
  response: ownRecord<{ readonly id: string }>('the company', { id: an.text('id of the company') }),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { name: 'Sun & Sons' }, data: { id: exampleId } },
});

export const companyRename = defineOperation({
  ...people,
  id: 'company/rename',
  write: true,
  summary: 'Gives the company that the caller manages another name.',
  request: { name },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { name: 'Sun & Daughters' }, data: null },
});

export const companyLogo = defineOperation({
  ...people,
  id: 'company/logo',
  write: true,
  summary: 'Gives the company that the caller manages a logo, or takes it back.',
  description:
    'It stands on reports about the plants whose installer the company is, for everybody who may see the plant. Only what the picture is drawn from is kept.',
  request: {
    image: meaning(
      `the picture in base64: a PNG without interlacing or a JPEG of at most ${LOGO_BYTES / 1024} KiB and ${LOGO_PIXELS} pixels each way; without it, the logo is taken back`,
      textInput(Math.ceil(LOGO_BYTES / 3) * 4, 'image'),
    ),
  },
  response: nothing,
  errors: ['invalidValue', 'noPermission'],
  example: { request: { image: EXAMPLE_LOGO }, data: null },
});

export const companyInvite = defineOperation({
  ...people,
  id: 'company/invite',
  write: true,
  summary:
    'Invites somebody to the company that the caller manages, whether or not the address has an account.',
  description:
    'It can be answered for 30 days, and replaces a former invitation of the address. A company has at most 100 people.',
  request: {
    email: required(meaning('e-mail address of the user', textInput(254, 'email'))),
    role: meaning('manager: may also invite, remove and dissolve; by default, member', roleOf),
  },
  response: ownRecord<{ readonly invitationId: string }>('the invitation', {
    invitationId: an.text('id of the invitation'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { email: 'grace@example.org' },
    data: { invitationId: EXAMPLE_INVITATION_ID },
  },
});

const answer = <const Id extends string>(operationId: Id, summary: string) =>
  defineOperation({
    ...people,
    id: operationId,
    write: true,
    summary,
    request: { id: invitation },
    response: nothing,
    errors: ['missingParameter', 'invalidValue', 'noPermission'],
    example: { request: { id: EXAMPLE_INVITATION_ID }, data: null },
  });

export const companyAccept = answer(
  'company/accept',
  'Accepts an invitation to a company: its plants can be seen at once.',
);
export const companyDecline = answer('company/decline', 'Declines an invitation to a company.');
export const companyWithdraw = answer(
  'company/withdraw',
  'Withdraws an invitation of the company that the caller manages.',
);

export const companyRole = defineOperation({
  ...both,
  id: 'company/role',
  write: true,
  summary: 'Makes somebody in the company a manager or a member.',
  description: 'The last manager stays one.',
  request: { email: colleague, role: required(meaning('what they are in the company', roleOf)) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: { request: { email: 'grace@example.org', role: 'manager' }, data: null },
});

export const companyRemove = defineOperation({
  ...both,
  id: 'company/remove',
  write: true,
  summary:
    'Removes somebody from the company, or leaves it: what they may by the company ends from the next request on.',
  description:
    'Managers remove others; everybody may leave. What somebody may by themselves stays, and plants that they gave to the company stay there. The last manager cannot leave while others are in the company; the last one to leave dissolves it.',
  request: { email: colleague },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: { request: { email: 'grace@example.org' }, data: null },
});

export const companyDissolve = defineOperation({
  ...both,
  id: 'company/dissolve',
  write: true,
  summary:
    'Dissolves the company that the caller manages: what its people may by it ends from the next request on.',
  request: {
    email: meaning(
      'e-mail address of somebody in the company; only for the operator',
      textInput(254, 'email'),
    ),
  },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: { request: {}, data: null },
});

export const companyGive = defineOperation({
  ...people,
  id: 'company/give',
  write: true,
  summary:
    'Lets everybody in the caller’s company see or control plants that the caller owns or has access to, at most 100 at once.',
  description:
    'Access that others have given to the caller alone becomes the company’s, at most as far as it went. Others share a plant with a company by inviting somebody in it, who accepts for the company. A company has at most 10,000 plants.',
  request: {
    plantIds: meaning(
      'these plants; by default, the next 100 of one’s own that the company does not have',
      distinctList(100, 'plantIds'),
    ),
    level: meaning(
      'what the company may; by default, control of own plants, and of others what the caller may',
      choice(shareLevels, 'level'),
    ),
  },
  response: ownRecord<{ readonly given: number; readonly left: number }>('the result', {
    given: an.number('how many plants were given'),
    left: an.number('how many of the caller’s plants the company does not have'),
  }),
  errors: ['invalidValue', 'noPermission'],
  example: { request: { plantIds: [examplePlant.id] }, data: { given: 1, left: 0 } },
});

export const companyEnd = defineOperation({
  ...both,
  id: 'company/end',
  write: true,
  summary:
    'Ends what a company may do with a plant, for everybody in it, from the next request on.',
  description: 'The owner of the plant ends it, or a manager of the company gives it up.',
  request: { plantId, companyId: required(meaning('id of the company', id('companyId'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { plantId: examplePlant.id, companyId: exampleId }, data: null },
});

const plant = ownRecord<CompanyPlant>('a plant of the company', {
  id: an.text('id of the plant'),
  name: an.text('name of the plant'),
  owner: an.text('e-mail address of its owner'),
  level: an.text('what the company may: read, control or install'),
  isInstaller: an.flag('whether the company is the installer of the plant'),
  createdAt: an.instant('when the company got it'),
});
const plants = page({
  schema: plant.schema,
  project: plant.project,
  text: (one: CompanyPlant) => JSON.stringify(plant.project(one)),
});
const examplePlants = examplePage<CompanyPlant>({
  id: examplePlant.id,
  name: examplePlant.name,
  owner: 'ada@example.org',
  level: 'control',
  isInstaller: false,
  createdAt: exampleAt,
});

export const companyPlants = defineOperation({
  ...people,
  permission: 'read',
  id: 'company/plants',
  write: false,
  summary: 'Lists the plants of the caller’s company.',
  request: { pageNo: paging.pageNo, pageSize: paging.pageSize },
  response: plants,
  errors: ['invalidValue', 'noPermission'],
  example: { request: {}, data: plants.project(examplePlants) },
});

export const companyList = defineOperation({
  ...people,
  permission: 'read',
  doors: ['operator'],
  id: 'company/list',
  write: false,
  summary: 'Lists all companies, oldest first.',
  request: {},
  response: ownRecords<{
    readonly id: string;
    readonly name: string;
    readonly people: number;
    readonly plants: number;
    readonly manager: string | null;
    readonly createdAt: number;
  }>('a company', {
    id: an.text('id of the company'),
    name: an.text('name of the company'),
    people: an.number('number of people in it'),
    plants: an.number('number of its plants'),
    manager: an.text('e-mail address of one of its managers'),
    createdAt: an.instant('when it was founded'),
  }),
  errors: [],
  example: {
    request: {},
    data: [
      {
        id: exampleId,
        name: 'Sun & Sons',
        people: 1,
        plants: 1,
        manager: 'ada@example.org',
        createdAt: exampleAt,
      },
    ],
  },
});
