import type { Act } from '../../../identity/accounts/audit.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import type { Db } from '../../../platform/storage/database.ts';

declare const brand: unique symbol;

/** Finds what a write concerns, as far as a caller has the right to it, and locks what must be locked before the right can end. Throws if there is none. */
type Take<T> = (trx: Db, caller: Caller, act: Act) => Promise<T>;

/**
 * The right that a write rests on, for `change`, which takes it twice: to wait for the locks, and again while it holds them. So what somebody else ended
 * meanwhile has ended, in whichever order a right reads and locks. Only the functions of this folder make one.
 */
export interface Right<T> {
  readonly [brand]: true;
  readonly take: Take<T>;
  /** Ids of what was locked. If the second time finds more, the transaction starts over: locks are taken in one order. */
  readonly locks: (taken: T) => readonly string[];
  /** Whether it locks all plants, which must be the first thing that a transaction locks. */
  readonly ofAll: boolean;
}

export const right = <T>(
  take: Take<T>,
  { locks = () => [], ofAll = false }: Partial<Pick<Right<T>, 'locks' | 'ofAll'>> = {},
): Right<T> => ({ take, locks, ofAll }) as unknown as Right<T>;
