import { InvalidParameter, type RequestParameter } from './parameters.ts';
import type { JsonSchema } from './json-schema.ts';
import { isTimeZone } from './time/time-zone.ts';

/** The wire name, then other names that some callers use. */
type Names<N extends string> = readonly [N, ...string[]];

const CONTROL = /\p{Cc}/u;

// No text may contain control characters or lone surrogates: databases can store neither NUL nor half a character.
const asText = (raw: unknown, expected: string): string => {
  const value = typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : raw;
  if (typeof value !== 'string' || !value.isWellFormed() || CONTROL.test(value.trim()))
    throw new InvalidParameter(expected);
  return value.trim();
};

function readsText<T, N extends string>(
  names: Names<N>,
  schema: JsonSchema,
  read: (text: string) => T,
): RequestParameter<T | undefined, N> {
  const expected = schema.description ?? 'another value';
  return {
    names,
    required: false,
    schema,
    read: (raw) => (raw === undefined ? undefined : read(asText(raw, expected))),
  };
}

const refuse = (expected: string): never => {
  throw new InvalidParameter(expected);
};

/** A decimal id: a string of up to 19 digits (interface W6). */
export const id = <N extends string>(
  ...names: Names<N>
): RequestParameter<string | undefined, N> => {
  const description = 'an id: a string of digits';
  return readsText(names, { type: 'string', pattern: '^[0-9]{1,19}$', description }, (text) =>
    /^\d{1,19}$/.test(text) ? text : refuse(description),
  );
};

/** Free text without control characters and lone surrogates. */
export const textInput = <N extends string>(
  maxLength: number,
  ...names: Names<N>
): RequestParameter<string | undefined, N> => {
  const description = `text of at most ${maxLength} characters without control characters`;
  return readsText(names, { type: 'string', maxLength, description }, (value) =>
    [...value].length <= maxLength ? value : refuse(description),
  );
};

/** A code of letters and digits. */
export const code = <N extends string>(
  maxLength: number,
  ...names: Names<N>
): RequestParameter<string | undefined, N> => {
  const description = `at most ${maxLength} letters and digits`;
  return readsText(
    names,
    { type: 'string', maxLength, pattern: '^[A-Za-z0-9]+$', description },
    (value) =>
      value.length <= maxLength && /^[A-Za-z0-9]+$/.test(value) ? value : refuse(description),
  );
};

/** A region whose habits figures and times follow (BCP 47). */
export const region = <N extends string>(
  ...names: Names<N>
): RequestParameter<string | undefined, N> => {
  const description = 'a region: two letters such as GB, or three digits';
  return readsText(
    names,
    { type: 'string', pattern: '^([A-Za-z]{2}|[0-9]{3})$', description },
    (text) => (/^([A-Za-z]{2}|\d{3})$/.test(text) ? text.toUpperCase() : refuse(description)),
  );
};

/** A time zone. */
export const timeZone = <N extends string>(
  ...names: Names<N>
): RequestParameter<string | undefined, N> => {
  const description = 'an IANA time zone such as Europe/Berlin';
  return readsText(names, { type: 'string', description }, (value) =>
    isTimeZone(value) ? value : refuse(description),
  );
};

export interface NumberRange {
  min?: number;
  max?: number;
}

/** A number, which may be sent as text. */
export const number = <N extends string>(
  { min = -Infinity, max = Infinity }: NumberRange,
  ...names: Names<N>
): RequestParameter<number | undefined, N> => {
  const description = `a number${min === -Infinity ? '' : ` from ${min}`}${max === Infinity ? '' : ` to ${max}`}`;
  const schema: JsonSchema = {
    type: 'number',
    description,
    ...(min > -Infinity && { minimum: min }),
    ...(max < Infinity && { maximum: max }),
  };
  return readsText(names, schema, (value) => {
    const n = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value) ? Number(value) : NaN;
    return n >= min && n <= max ? n : refuse(description);
  });
};

/** A whole number, which may be sent as text. */
export const integer = <N extends string>(
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: NumberRange,
  ...names: Names<N>
): RequestParameter<number | undefined, N> => {
  const description = `a whole number from ${min} to ${max}`;
  return readsText(names, { type: 'integer', minimum: min, maximum: max, description }, (value) => {
    const n = /^[+-]?\d{1,16}$/.test(value) ? Number(value) : NaN;
    return n >= min && n <= max ? n : refuse(description);
  });
};

/** Yes or no: 1 or 0, also as text or as a JSON boolean. */
export const flag = <N extends string>(
  ...names: Names<N>
): RequestParameter<boolean | undefined, N> => {
  const description = '0 or 1';
  return {
    names,
    required: false,
    schema: { type: 'integer', enum: [0, 1], description },
    read: (raw) => {
      if (raw === undefined || typeof raw === 'boolean') return raw;
      const value = asText(raw, description);
      return value === '0' || value === '1' ? value === '1' : refuse(description);
    },
  };
};

/** A currency code of three letters, read as capitals. */
export const currency = <N extends string>(
  ...names: Names<N>
): RequestParameter<string | undefined, N> => {
  const description = 'a currency code of three letters, such as EUR';
  return readsText(names, { type: 'string', pattern: '^[A-Za-z]{3}$', description }, (value) =>
    /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : refuse(description),
  );
};

/** Some of a fixed set of words, sent as an array or as text with commas. */
export const wordsInput = <W extends string, N extends string>(
  known: readonly W[],
  ...names: Names<N>
): RequestParameter<readonly W[] | undefined, N> => {
  const description = `some of ${known.join(', ')}, as an array or separated by commas`;
  const items = listInput(known.length, ...names);
  const isKnown = (word: string): word is W => (known as readonly string[]).includes(word);
  return {
    ...items,
    schema: { ...items.schema, description },
    read: (raw) => {
      const read = items.read(raw);
      if (read === undefined) return undefined;
      return read.every(isKnown) ? read : refuse(description);
    },
  };
};

/** A calendar day `yyyy-MM-dd`; month and day may lack a leading zero (interface W7). Read as yyyymmdd. */
export const day = <N extends string>(
  ...names: Names<N>
): RequestParameter<number | undefined, N> => {
  const description = 'a calendar day yyyy-MM-dd';
  return readsText(names, { type: 'string', description, examples: ['2026-11-06'] }, (value) => {
    const [, y = 0, m = 0, d = 0] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(value)?.map(Number) ?? [];
    return inCalendar(y, m, d) ? y * 10000 + m * 100 + d : refuse(description);
  });
};

/** A calendar month `yyyy-MM`, or `yyyy MM`. Read as yyyymm. */
export const month = <N extends string>(
  ...names: Names<N>
): RequestParameter<number | undefined, N> => {
  const description = 'a calendar month yyyy-MM';
  return readsText(names, { type: 'string', description, examples: ['2026-11'] }, (value) => {
    const [, y = 0, m = 0] = /^(\d{4})[- ](\d{1,2})$/.exec(value)?.map(Number) ?? [];
    return inCalendar(y, m, 1) ? y * 100 + m : refuse(description);
  });
};

/** A calendar year `yyyy`. */
export const year = <N extends string>(
  ...names: Names<N>
): RequestParameter<number | undefined, N> => {
  const description = 'a calendar year yyyy from 2000 to 2099';
  return readsText(names, { type: 'string', description, examples: ['2026'] }, (value) => {
    const y = /^\d{4}$/.test(value) ? Number(value) : 0;
    return inCalendar(y, 1, 1) ? y : refuse(description);
  });
};

function inCalendar(y: number, m: number, d: number): boolean {
  if (!(y >= 2000 && y <= 2099 && m >= 1 && m <= 12 && d >= 1)) return false;
  return d <= new Date(Date.UTC(y, m, 0)).getUTCDate();
}

/** A list, sent as an array or as text with commas. */
export const listInput = <N extends string>(
  maxItems: number,
  ...names: Names<N>
): RequestParameter<readonly string[] | undefined, N> =>
  listOf(
    maxItems,
    `at most ${maxItems} values, as an array or separated by commas`,
    (items) => [...new Set(items)],
    names,
  );

/** A list that is refused if it contains duplicates. */
export const distinctList = <N extends string>(
  maxItems: number,
  ...names: Names<N>
): RequestParameter<readonly string[] | undefined, N> => {
  const description = `at most ${maxItems} values, each once, as an array or separated by commas`;
  return listOf(
    maxItems,
    description,
    (items) => (new Set(items).size === items.length ? items : refuse(description)),
    names,
  );
};

function listOf<N extends string>(
  maxItems: number,
  description: string,
  distinct: (items: readonly string[]) => readonly string[],
  names: Names<N>,
): RequestParameter<readonly string[] | undefined, N> {
  return {
    names,
    required: false,
    many: true,
    schema: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems }],
      description,
    },
    read: (raw) => {
      if (raw === undefined) return undefined;
      const items = Array.isArray(raw)
        ? raw.map((item) => asText(item, description))
        : asText(raw, description)
            .split(',')
            .map((item) => item.trim());
      const values = distinct(items.filter((item) => item !== ''));
      // The list was nothing but commas.
      if (values.length === 0) return undefined;
      return values.length <= maxItems ? values : refuse(description);
    },
  };
}

/** Page number; 1 by default. */
export const pageNo: RequestParameter<number, 'pageNo'> = withDefault(
  integer({ min: 1, max: 1_000_000_000 }, 'pageNo'),
  1,
);

/** Page size; 20 by default, at most 100 (interface W5). */
export const pageSize: RequestParameter<number, 'pageSize'> = withDefault(
  integer({ min: 1, max: 100 }, 'pageSize'),
  20,
);

function withDefault<T, N extends string>(
  parameter: RequestParameter<T | undefined, N>,
  value: T,
): RequestParameter<T, N> {
  return {
    ...parameter,
    schema: { ...parameter.schema, default: value },
    read: (raw) => parameter.read(raw) ?? value,
  };
}

/** One of a fixed set of words. */
export const choice = <W extends string, N extends string>(
  known: readonly W[],
  ...names: Names<N>
): RequestParameter<W | undefined, N> => {
  const description = `one of ${known.join(', ')}`;
  return readsText(
    names,
    { type: 'string', enum: known, description },
    (value) => known.find((word) => word === value) ?? refuse(description),
  );
};

/** Text exactly as sent, including leading and trailing spaces: a password. */
export const exactText = <N extends string>(
  maxLength: number,
  ...names: Names<N>
): RequestParameter<string | undefined, N> => {
  const description = `text of at most ${maxLength} characters, taken exactly as sent`;
  return {
    names,
    required: false,
    schema: { type: 'string', maxLength, description },
    read: (raw) => {
      if (raw === undefined) return undefined;
      return typeof raw === 'string' && raw.length <= maxLength && raw.isWellFormed()
        ? raw
        : refuse(description);
    },
  };
};

/** A list of objects, which the handler reads itself. */
export const objects = <N extends string>(
  maxItems: number,
  description: string,
  ...names: Names<N>
): RequestParameter<readonly object[] | undefined, N> => ({
  names,
  required: false,
  schema: { type: 'array', items: { type: 'object' }, maxItems, description },
  read: (raw) => {
    if (raw === undefined) return undefined;
    const isList =
      Array.isArray(raw) &&
      raw.length <= maxItems &&
      raw.every((item) => typeof item === 'object' && item !== null);
    return isList ? (raw as object[]) : refuse(description);
  },
});

const LAST_INSTANT = Date.UTC(2200, 0, 1);

/** An instant: epoch milliseconds, or a date and time with its offset from UTC. Read as epoch milliseconds. */
export const instant = <N extends string>(
  ...names: Names<N>
): RequestParameter<number | undefined, N> => {
  const description =
    'epoch milliseconds, or a date and time with its offset, such as 2026-11-06T12:00:00Z';
  return readsText(
    names,
    { type: ['string', 'integer'], description, examples: ['2026-11-06T12:00:00Z'] },
    (value) => {
      const isWritten = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(
        value,
      );
      const at = isWritten ? Date.parse(value) : /^\d{1,14}$/.test(value) ? Number(value) : NaN;
      return at >= 0 && at < LAST_INSTANT ? at : refuse(description);
    },
  );
};
