import { scopes, type Scope } from '@helioport/contract';

const ALL = Object.keys(scopes) as Scope[];

/** All scopes, as bits. */
export const ALL_SCOPES = bitsOf(ALL);

/** A set of scopes as bits, the form in which it is stored. */
export function bitsOf(names: readonly Scope[]): number {
  return names.reduce((bits, name) => bits | scopes[name].bit, 0);
}

/** The scopes for some bits, in registry order. */
export const scopesOf = (bits: number): Scope[] => ALL.filter((name) => bits & scopes[name].bit);

/** Scopes as sent on the wire: separated by spaces. */
export const scopeText = (bits: number): string => scopesOf(bits).join(' ');

/** Reads scopes separated by spaces, in any order and number; undefined if one is unknown. Names are case-sensitive (RFC 6749 3.3). */
export function readScopes(text: string): number | undefined {
  const names = text.split(' ').filter((name) => name !== '');
  return names.every((name): name is Scope => Object.hasOwn(scopes, name))
    ? bitsOf(names)
    : undefined;
}
