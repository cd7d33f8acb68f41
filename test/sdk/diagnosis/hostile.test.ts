import fc from 'fast-check';
import {
  compareBytes,
  diagnose,
  englishSentences,
  readPasted,
  sentenceOf,
  Unreadable,
  type Case,
} from '@helioport/sdk/diagnosis';
import { describe, expect, test } from 'vitest';
import { broken, KEY_SECRET } from './broken-requests.ts';

const isFull = process.env['HELIOPORT_PROVE'] === 'full';

/** Texts with halves of surrogate pairs, names that every object has, brackets and escapes. */
const hostile = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(
        '\ud800',
        '\udfff',
        '__proto__',
        'constructor',
        'toString',
        '"\\ud800"',
        '{"__proto__":',
        '[',
        '}',
        ':',
        '\\',
        '%',
        '\n',
        "'",
        '"',
        ' --',
        '@',
        ' ',
        '\u0000',
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** What is said about a case; no sentence may fail either. */
const sentences = (facts: Case): string[] =>
  diagnose(facts).faults.map((fault) => sentenceOf(englishSentences, fault));
const causes = (facts: Case): string[] => diagnose(facts).faults.map(({ cause }) => cause);
const readOr = (text: string): unknown => {
  try {
    return readPasted(text);
  } catch (error) {
    if (error instanceof Unreadable) return error.reason;
    throw error;
  }
};

describe('hostile text', () => {
  test('that is pasted is read or refused in words', () => {
    const prefix = fc.constantFrom(
      '',
      'curl ',
      'curl --',
      'curl -',
      'POST /x HTTP/1.1\n',
      'Date: ',
      '{"request":',
      '{"log":{"entries":[',
      '{"__proto__":',
    );
    fc.assert(
      fc.property(prefix, hostile, (before, text) => void readOr(before + text)),
      { numRuns: isFull ? 100_000 : 2_000 },
    );
  });

  test('is no option of curl that is known', () => {
    expect(
      readPasted('curl --constructor https://solar.example/v1/api/x --constructor=1'),
    ).toMatchObject({ target: '/v1/api/x', method: 'GET' });
  });

  test('in a body is distinguished as well', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          hostile.map((text) => JSON.stringify({ [text]: { ['__proto__']: text } })),
          fc.json(),
        ),
        (body) => {
          sentences({ ...broken({ body, digest: () => 'another' }), keySecret: '' });
        },
      ),
      { numRuns: isFull ? 20_000 : 300 },
    );
    for (const body of [
      '{"a":"\\ud800"}',
      '{"\\udfff":1}',
      '{"__proto__":{"b":1},"constructor":2}',
      '['.repeat(50_000) + ']'.repeat(50_000),
    ])
      expect(causes({ ...broken({ body, digest: () => 'another' }), keySecret: '' })).toContain(
        'bodyOther',
      );
  });

  test('in headers, path, KeySecret, own string and answer is looked into like any other', () => {
    const keys = ['Content-MD5', 'Content-Type', 'Date', 'Host', 'Authorization'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        hostile,
        hostile,
        hostile,
        hostile,
        (name, value, target, ownText, answer) => {
          const facts = broken({
            headers: { [name]: value },
            target: `/v1/api/${target}`,
            sign: () => value,
          });
          sentences({ ...facts, keySecret: '', ownText, answer });
        },
      ),
      { numRuns: isFull ? 20_000 : 300 },
    );
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        (keySecret, target, ownText) =>
          void sentences({ ...broken({ target: `/v1/api/${target}` }), keySecret, ownText }),
      ),
      { numRuns: isFull ? 200 : 2 },
    );
    const half = '\ud800';
    for (const change of [
      { keySecret: half },
      { ownText: half },
      { request: { ...broken({}).request, target: `/v1/api/${half}` } },
    ])
      expect(causes({ ...broken({ key: 'another' }), ...change })).not.toEqual([]);
  });

  test.each([
    ['KeySecret', 128, { keySecret: 'x'.repeat(5_000) }],
    [
      'path',
      4096,
      { request: { ...broken({}).request, target: `/v1/api/x?${'x'.repeat(100_000)}` } },
    ],
    ['own string', 4096, { ownText: '\ud800'.repeat(100_000) }],
  ] as const)('that is too long is named and tried no further: %s', (part, atMost, change) => {
    const facts = { ...broken({ key: 'another' }), ...change };
    expect(diagnose(facts).faults).toContainEqual({
      cause: 'tooLong',
      proof: 'form',
      part,
      should: String(atMost),
    });
    expect(sentences(facts)).toContainEqual(expect.stringContaining(`${part} is too long`));
  });

  test('that is as long as it may be is still looked into', () => {
    expect(causes({ ...broken({ key: 'k'.repeat(127) }), keySecret: 'k'.repeat(128) })).toContain(
      'keyShort',
    );
    expect(causes(broken({ key: `${KEY_SECRET}\n` }))).toEqual(['keyLineEnd']);
  });

  test('takes no more time or memory the longer it is', () => {
    const spaces = ' '.repeat(200_000);
    for (const text of [
      `Authorization: API${spaces}x`,
      `Date:${spaces}x`,
      `curl ${'\\'.repeat(200_000)}`,
    ])
      expect(['object', 'string']).toContain(typeof readOr(text));
    expect(readOr('Date: x\n'.repeat(100_000))).toBe('tooLong');
    expect(readOr(`POST /x HTTP/1.1\nDate: ${'x'.repeat(100_000)}`)).toBe('tooLong');
    expect(
      causes({ ...broken({ authorization: () => `API${spaces}x` }), keySecret: KEY_SECRET }),
    ).toEqual(['tooLong']);
    expect(
      causes({
        ...broken({ authorization: () => `Bearer ${'x'.repeat(2_000)}` }),
        keySecret: KEY_SECRET,
      }),
    ).toContain('bearer');
    const { lines } = compareBytes('x'.repeat(1_000_000), 'y'.repeat(1_000_000));
    expect(lines[0]!.theirs.length).toBe(16 * 1024);
    // One digest of the body, rather than of forty texts of its length.
    expect(
      causes({
        ...broken({ body: `"${'x'.repeat(1_000_000)}"`, digest: () => 'another' }),
        keySecret: '',
      }),
    ).toEqual(['bodyOther']);
  });
});
