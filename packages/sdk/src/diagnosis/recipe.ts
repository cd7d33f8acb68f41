import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { hex, utf8 } from './bytes.ts';
import type { Cause, Fault } from './fault.ts';

/** The parts of a string to sign, as the service or a program puts them together. */
export interface Parts {
  readonly method: string;
  readonly contentMd5: string;
  readonly contentType: string;
  readonly date: string;
  readonly path: string;
}

/** A way to make a signature. The service's own is one; each variant of it is a mistake that programs make. */
export interface Recipe extends Parts {
  readonly layout: (parts: Parts) => string;
  readonly charset: (text: string) => Uint8Array;
  readonly key: Uint8Array;
  readonly mac: (key: Uint8Array, text: Uint8Array) => Uint8Array;
}

/** One change of a recipe, and the fault that it stands for. */
export interface Variant {
  readonly fault: Omit<Fault, 'proof'> & { readonly cause: Cause };
  /** Exactly one member, so that two variants can be combined if they change different ones. */
  readonly change: Partial<Recipe>;
}

export const joined =
  (separator: string): Recipe['layout'] =>
  ({ method, contentMd5, contentType, date, path }) =>
    [method, contentMd5, contentType, date, path].join(separator);

export const hmacSha1: Recipe['mac'] = (key, text) => hmac(sha1, key, text);

/** How the service makes signatures. interface S5, S6 */
export const serviceRecipe = (parts: Parts, keySecret: string): Recipe => ({
  ...parts,
  layout: joined('\n'),
  charset: utf8,
  key: utf8(keySecret),
  mac: hmacSha1,
});

export const textOfRecipe = (recipe: Recipe): string => recipe.layout(recipe);

/** The digest that a recipe gives, in hexadecimal digits. */
export const digestOf = (recipe: Recipe): string =>
  hex(recipe.mac(recipe.key, recipe.charset(textOfRecipe(recipe))));
