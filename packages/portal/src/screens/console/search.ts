import type { AccountRole, CollectorState } from '@helioport/contract';

export const searchedRoles = [
  'owner',
  'installer',
  'developer',
  'operator',
] as const satisfies readonly AccountRole[];
export const searchedAccountStates = ['active', 'disabled'] as const;
export const searchedCollectorStates = [
  'waiting',
  'reporting',
  'silent',
] as const satisfies readonly CollectorState[];

/** What the address says about the list of accounts. */
export interface AccountSearch {
  readonly search?: string | undefined;
  readonly role?: AccountRole | undefined;
  readonly state?: (typeof searchedAccountStates)[number] | undefined;
}

/** What the address says about the list of collectors. */
export interface CollectorSearch {
  readonly search?: string | undefined;
  readonly state?: CollectorState | undefined;
}

/** What the address says about the trail, so that a finding can be kept and sent. */
export interface TrailSearch {
  /** Days in UTC, as `2026-11-06`; `to` is part of it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly kind?: string | undefined;
  /** E-mail addresses. */
  readonly actor?: string | undefined;
  readonly email?: string | undefined;
  /** The id of the last event on the page before. */
  readonly before?: string | undefined;
}

type Address = Readonly<Record<string, unknown>>;

// A text of digits in an address is read as a number.
const textOf = (value: unknown): string | undefined =>
  typeof value === 'number'
    ? String(value)
    : typeof value === 'string' && value !== ''
      ? value
      : undefined;
const matching = (pattern: RegExp, value: unknown): string | undefined =>
  pattern.test(textOf(value) ?? '') ? textOf(value) : undefined;
const given = <S extends object>(search: S): S =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as S;

/** Each reads an address; what makes no sense there is left out. */
export const accountSearch = ({ search, role, state }: Address): AccountSearch =>
  given({
    search: textOf(search),
    role: searchedRoles.find((one) => one === role),
    state: searchedAccountStates.find((one) => one === state),
  });

export const collectorSearch = ({ search, state }: Address): CollectorSearch =>
  given({ search: textOf(search), state: searchedCollectorStates.find((one) => one === state) });

const DAY = /^20\d\d-\d\d-\d\d$/;

export const trailSearch = ({ from, to, kind, actor, email, before }: Address): TrailSearch =>
  given({
    from: matching(DAY, from),
    to: matching(DAY, to),
    kind: matching(/^[a-zA-Z]+\.[a-zA-Z]+$/, kind),
    actor: textOf(actor),
    email: textOf(email),
    before: matching(/^\d{1,19}$/, before),
  });
