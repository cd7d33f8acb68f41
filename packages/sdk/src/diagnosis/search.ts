import {
  SIGNED_CONTENT_TYPE,
  USUAL_CONTENT_TYPE,
  type SignatureProfile,
} from '@helioport/contract';
import { base64, fromHex } from './bytes.ts';
import type { CapturedRequest } from './captured-request.ts';
import {
  digestOf,
  serviceRecipe,
  textOfRecipe,
  type Parts,
  type Recipe,
  type Variant,
} from './recipe.ts';
import type { SignReading } from './sign-readings.ts';
import { dateForms, nearDates, zonedDates } from './variants/dates.ts';
import { keys, macs, mistypedKeys } from './variants/keys.ts';
import { charsets, layouts, orders } from './variants/layouts.ts';
import { bodies, contentTypes, digests, invisible, methods, paths } from './variants/values.ts';

/** The facts that a search needs. */
export interface SearchInput {
  readonly request: CapturedRequest;
  /** As the service puts them together. */
  readonly parts: Parts;
  readonly profile: SignatureProfile;
  readonly keyId: string;
  readonly keySecret: string;
  readonly host: string;
  readonly readings: readonly SignReading[];
  /** The string that the caller believes to have signed. */
  readonly ownText?: string | undefined;
}

/** How a signature was made. No variants: as the service makes it. */
export interface Explanation {
  readonly reading: SignReading;
  readonly variants: readonly Variant[];
  /** The string that was signed. */
  readonly text: string;
  /** Whether it was found by starting from the caller's own string. */
  readonly fromOwnText: boolean;
}

/** Finds out how a signature was made, by trying what programs do; undefined if nothing that is tried gives it. */
export function explainSignature(input: SearchInput): Explanation | undefined {
  const { parts, profile, keySecret, readings, ownText } = input;
  const types =
    profile === 'strict'
      ? [SIGNED_CONTENT_TYPE]
      : [parts.contentType, SIGNED_CONTENT_TYPE, USUAL_CONTENT_TYPE];
  const bases = [...new Set(types)].map((contentType) =>
    serviceRecipe({ ...parts, contentType }, keySecret),
  );
  const wanted = new Map(readings.map((reading) => [reading.digest, reading]));
  const attempt = (
    recipe: Recipe,
    variants: readonly Variant[],
    fromOwnText = false,
  ): Explanation | undefined => {
    const reading = wanted.get(digestOf(recipe));
    return reading && { reading, variants, text: textOfRecipe(recipe), fromOwnText };
  };
  const known = usualVariantsOf(input);
  const each = (
    from: readonly Recipe[],
    variants: readonly Variant[],
    fromOwnText = false,
  ): Explanation | undefined =>
    first(from, (base) =>
      first(variants, (variant) => attempt({ ...base, ...variant.change }, [variant], fromOwnText)),
    );

  const single =
    first(bases, (base) => attempt(base, [])) ??
    each(bases, known) ??
    each(bases, rareVariantsOf(input));
  if (single) return single;
  if (ownText !== undefined) {
    const own = bases.slice(0, 1).map((base) => ({ ...base, layout: () => ownText }));
    const found =
      first(own, (base) => attempt(base, [], true)) ??
      each(
        own,
        [...known.filter(({ change }) => change.key ?? change.mac), ...ownEnds(ownText)],
        true,
      );
    if (found) return found;
  }
  return (
    each(bases, mistypedKeys(keySecret)) ??
    each(bases, nearDates(parts.date)) ??
    first(bases, (base) =>
      first(known, (a, i) =>
        first(known.slice(i + 1), (b) =>
          isSameMember(a, b) ? undefined : attempt({ ...base, ...a.change, ...b.change }, [a, b]),
        ),
      ),
    )
  );
}

/** The base64 of the digest by which the service recognizes a signature. Only for those who have the KeySecret. */
export const expectedSign = (parts: Parts, keySecret: string): string =>
  base64(fromHex(digestOf(serviceRecipe(parts, keySecret)))!);

/** Mistakes of which two may come together. */
const usualVariantsOf = ({ request, parts, keyId, keySecret, host }: SearchInput): Variant[] => [
  ...contentTypes(parts.contentType),
  ...layouts,
  ...keys(keySecret, keyId),
  ...paths(parts.path, request, host),
  ...dateForms(parts.date),
  ...digests(parts.contentMd5, request.body),
  ...methods(request),
  ...macs,
  ...charsets,
];

const rareVariantsOf = ({ request, parts }: SearchInput): Variant[] => [
  ...zonedDates(parts.date),
  ...bodies(parts.contentMd5, request.body),
  ...orders,
  ...invisible(parts),
];

/** Ends of lines that a text field loses. */
const ownEnds = (text: string): Variant[] => [
  { fault: { cause: 'crlf' }, change: { layout: () => text.replaceAll('\n', '\r\n') } },
  { fault: { cause: 'endsWithLineFeed' }, change: { layout: () => `${text}\n` } },
];

const memberOf = ({ change }: Variant): string => Object.keys(change)[0]!;
const isSameMember = (a: Variant, b: Variant): boolean => memberOf(a) === memberOf(b);

function first<T, R>(
  items: readonly T[],
  find: (item: T, i: number) => R | undefined,
): R | undefined {
  for (const [i, item] of items.entries()) {
    const found = find(item, i);
    if (found !== undefined) return found;
  }
  return undefined;
}
