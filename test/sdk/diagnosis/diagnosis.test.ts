import { diagnose, englishSentences, sentenceOf } from '@helioport/sdk/diagnosis';
import { describe, expect, test } from 'vitest';
import { broken, faults, fine, KEY_SECRET } from './broken-requests.ts';

/** What is said without being certain. */
const UNPROVEN = ['unknown'];

/** Where what was signed is no text of its own. */
const NOT_AS_TEXT = ['charset', 'swapped', 'noHmac'];

describe('the diagnosis', () => {
  test.each(faults)('finds: %s', (_, cause, slip) => {
    const { signedText, ...facts } = broken(slip);
    const { faults: found, signedText: text } = diagnose(facts);
    expect(found.map((fault) => fault.cause)).toContain(cause);
    expect(found[0]!.cause).toBe(cause);
    expect(found[0]!.proof === 'none').toBe(UNPROVEN.includes(cause));
    // Faults that come with the first are named too, but nothing is guessed beside it.
    expect(found.slice(1).filter(({ proof }) => proof === 'none')).toEqual([]);
    if (text !== undefined && !NOT_AS_TEXT.includes(cause)) expect(text).toBe(signedText);
    for (const fault of found) {
      const sentence = sentenceOf(englishSentences, fault);
      expect(sentence).toMatch(/^[A-Z“/0-9].*[.]$/s);
      expect(sentence).not.toContain(KEY_SECRET);
      expect(sentence).not.toMatch(/undefined|\[object/);
    }
  });

  test.each(fine)('finds nothing wrong: %s', (_, slip) => {
    const { faults: found, isSignatureRight } = diagnose(broken(slip));
    expect([found, isSignatureRight]).toEqual([[], true]);
  });

  test('finds two faults at once', () => {
    const { faults: found } = diagnose(
      broken({ text: (lines) => lines.join('\r\n'), key: `${KEY_SECRET}\n` }),
    );
    expect(found.map(({ cause, proof }) => [cause, proof])).toEqual([
      ['crlf', 'signature'],
      ['keyLineEnd', 'signature'],
    ]);
  });

  test('takes an old request for one that was kept, unless the time of its arrival is known', () => {
    const facts = broken({ text: (lines) => lines.join('\r\n') });
    const later = { ...facts, now: facts.now + 86_400_123 };
    expect(diagnose({ ...later, isTimeKnown: false }).faults.map(({ cause }) => cause)).toEqual([
      'crlf',
      'clock',
    ]);
    expect(diagnose({ ...later, isTimeKnown: true }).faults.map(({ cause }) => cause)).toEqual([
      'clock',
      'crlf',
    ]);
  });

  test('names a fault once for each part that has it', () => {
    const missing = diagnose(
      broken({ headers: { 'Content-MD5': undefined, Date: undefined }, signed: { date: '' } }),
    ).faults;
    expect(missing.map(({ cause, part }) => [cause, part])).toEqual([
      ['headerMissing', 'Content-MD5'],
      ['headerMissing', 'Date'],
    ]);
    const date = 'Fri,\u00a06 Nov 2026 05:01:09 GMT';
    const invisible = diagnose(broken({ date, signed: { date: `${date}\u00a0` } })).faults;
    expect(invisible.filter(({ cause }) => cause === 'invisible')).toHaveLength(1);
  });

  test('takes a Date ahead of the time for a wrong clock, since no request comes from the future', () => {
    const facts = broken({ text: (lines) => lines.join('\r\n') });
    const { faults: found } = diagnose({
      ...facts,
      now: facts.now - 86_400_123,
      isTimeKnown: false,
    });
    expect(found.map(({ cause }) => cause)).toEqual(['clock', 'crlf']);
  });

  test('without a KeySecret, says what shows without it', () => {
    const facts = {
      ...broken({ target: '/v1/api/userStationList/', key: 'another' }),
      keySecret: '',
    };
    expect(diagnose(facts)).toMatchObject({
      faults: [{ cause: 'pathSlash' }],
      isSignatureRight: false,
    });
    expect(diagnose(facts)).not.toHaveProperty('expectedSign');
  });
});
