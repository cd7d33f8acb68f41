import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSignedDate } from '@helioport/contract';
import { dateText, describeUserApi, withHeaders } from './fixture.ts';

const AT = Date.UTC(2026, 10, 6, 5, 1, 9);

describe('a Date header', () => {
  test.each([
    ['Fri, 6 Nov 2026 05:01:09 GMT', 'both'],
    ['Fri, 06 Nov 2026 05:01:09 GMT', 'both'],
    ['Fri, 06 Nov 2026 5:1:9 GMT', 'compatible'],
    ['Fri, 6 Nov 2026 05:1:09 GMT', 'compatible'],
    ['Fri, 06 Nov 2026 05:01:09 UTC', 'compatible'],
    ['Fri, 06 Nov 2026 05:01:09 +0000', 'compatible'],
    ['Fri, 06 Nov 2026 05:01:09 -0000', 'compatible'],
  ])('%j is read in the profile: %s', (text, profile) => {
    expect(readSignedDate(text, 'compatible')).toBe(AT);
    expect(readSignedDate(text, 'strict')).toBe(profile === 'both' ? AT : undefined);
  });

  // interface S7: all of these are read by Date.parse, or look as if they should be.
  test.each([
    'Sat, 31 Feb 2026 00:00:00 GMT',
    'Tue, 03 Mar 2026 24:00:00 GMT',
    'Sun, 29 Feb 2026 00:00:00 GMT',
    'Fri, 00 Nov 2026 05:01:09 GMT',
    'Fri, 32 Nov 2026 05:01:09 GMT',
    'Thu, 6 Nov 2026 05:01:09 GMT',
    'Friday, 6 Nov 2026 05:01:09 GMT',
    'Fri, 6 November 2026 05:01:09 GMT',
    'Fri, 6 Nov 26 05:01:09 GMT',
    'Fri, 6 Nov 2026 05:01:60 GMT',
    'Fri, 6 Nov 2026 05:60:09 GMT',
    'Fri, 6 Nov 2026 25:01:09 GMT',
    'Fri, 6 Nov 2026 05:01:09 +0100',
    'Fri, 6 Nov 2026 05:01:09 -0001',
    'Fri, 6 Nov 2026 05:01:09 -00:00',
    'Fri, 6 Nov 2026 05:01:09 0000',
    'Fri, 6 Nov 2026 05:01:09 CET',
    'Fri, 6 Nov 2026 05:01:09 Z',
    'Fri, 6 Nov 2026 05:01:09',
    'Fri, 6 Nov 2026 05:01 GMT',
    'Fri, 6 Nov 2026 05:01:09.5 GMT',
    'Fri, 006 Nov 2026 05:01:09 GMT',
    'Fri, 6 Nov 2026 005:01:09 GMT',
    'Fri, 6 Nov 2026 05:01:09 gmt',
    'fri, 6 nov 2026 05:01:09 GMT',
    'Fri, 6 Nov 2026  05:01:09 GMT',
    'Fri , 6 Nov 2026 05:01:09 GMT',
    'Fri 6 Nov 2026 05:01:09 GMT',
    'Fri, 6-Nov-2026 05:01:09 GMT',
    'Friday, 06-Nov-26 05:01:09 GMT',
    'Fri Nov  6 05:01:09 2026',
    '2026-11-06T05:01:09Z',
    '1793941269',
    '1793941269000',
    '1',
    'Mon, 6 Nov 0026 05:01:09 GMT',
    ' Fri, 6 Nov 2026 05:01:09 GMT',
    'Fri, 6 Nov 2026 05:01:09 GMT\n',
    'Fri, ６ Nov 2026 05:01:09 GMT',
    'Fr, 6 Nov 2026 05:01:09 GMT',
    'Ven, 6 Nov 2026 05:01:09 GMT',
    '',
  ])('S7: %j is no date', (text) => {
    expect(readSignedDate(text, 'compatible')).toBeUndefined();
  });

  test('names each second from 1970 to 9999 once: written and read back it is the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
        expect(readSignedDate(dateText(seconds * 1000), 'strict')).toBe(seconds * 1000);
        expect(readSignedDate(new Date(seconds * 1000).toUTCString(), 'strict')).toBe(
          seconds * 1000,
        );
      }),
    );
  });

  test('whatever is read stands for itself: no text is read that writes back as another', () => {
    const field = fc.integer({ min: 0, max: 99 }).map(String);
    const date = fc.tuple(
      fc.constantFrom('Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'),
      field,
      fc.constantFrom('Feb', 'Apr', 'Dec'),
      field,
      field,
      field,
    );
    fc.assert(
      fc.property(
        date,
        fc.integer({ min: 1990, max: 2030 }),
        ([weekday, day, month, hour, minute, second], year) => {
          const two = (text: string) => text.padStart(2, '0');
          const at = readSignedDate(
            `${weekday}, ${day} ${month} ${year} ${hour}:${minute}:${second} GMT`,
            'compatible',
          );
          const written = `${weekday}, ${day} ${month} ${year} ${two(hour)}:${two(minute)}:${two(second)} GMT`;
          expect(at === undefined ? written : dateText(at)).toBe(written);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describeUserApi('the Date of a request', (t) => {
  const skewed = (seconds: number) => t.call({ at: t.clock.at + seconds * 1000 });

  test('S7: with one digit for the day or with two, the signature is over the text as sent', async () => {
    for (const date of [
      'Fri, 6 Nov 2026 05:01:09 GMT',
      'Fri, 06 Nov 2026 05:01:09 GMT',
      'Fri, 06 Nov 2026 5:1:9 GMT',
      'Fri, 06 Nov 2026 05:01:09 +0000',
      'Fri, 06 Nov 2026 05:01:09 -0000',
    ]) {
      expect((await t.call({ date })).status).toBe(200);
      expect(
        (
          await t.api.send(
            withHeaders(t.sign({ date: 'Fri, 6 Nov 2026 05:01:10 GMT' }), { Date: date }),
          )
        ).status,
      ).toBe(403);
    }
  });

  test('S8: the window ends at 900 seconds on both sides', async () => {
    for (const [seconds, status] of [
      [900, 200],
      [-900, 200],
      [901, 408],
      [-901, 408],
      [0, 200],
      [86400, 408],
    ] as const) {
      expect([seconds, (await skewed(seconds)).status]).toEqual([seconds, status]);
    }
    t.clock.at += 999;
    expect((await t.call({ at: t.clock.at - 900_999 })).status).toBe(408);
    t.clock.at -= 999;
  });

  test('outside the window, the caller learns our time and its own before the signature is looked at', async () => {
    const request = t.sign({ at: t.clock.at - 3_600_000 });
    const answer = await t.api.send(
      withHeaders(request, { Authorization: 'API 1:nBYQWeuzy3Y+gp67BN8zXTmvSDk=' }),
    );
    expect(answer.status).toBe(408);
    expect(answer.body).toMatchObject({ success: false, code: '408' });
    expect(answer.body.data).toEqual({
      serverTime: 'Fri, 6 Nov 2026 05:01:09 GMT',
      yourDate: 'Fri, 6 Nov 2026 04:01:09 GMT',
      maxSkewSeconds: 900,
    });
  });

  test('unreadable, it is refused with 400', async () => {
    const answer = await t.call({ date: '2026-11-06T05:01:09Z' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      success: false,
      code: '400',
      data: { field: 'Date', expected: 'Fri, 6 Nov 2026 05:01:09 GMT' },
    });
  });

  test('S23: every answer carries a Date of its own', async () => {
    const request = t.sign();
    for (const sent of [
      request,
      withHeaders(request, { Authorization: undefined }),
      { ...request, target: '/nowhere' },
    ]) {
      expect(Date.parse((await t.api.send(sent)).headers.date!)).toBeGreaterThan(
        Date.UTC(2026, 0, 1),
      );
    }
  });
});

describeUserApi(
  'the Date of a request in the strict profile',
  (t) => {
    test('takes the form of the specification alone', async () => {
      for (const date of ['Fri, 6 Nov 2026 05:01:09 GMT', 'Fri, 06 Nov 2026 05:01:09 GMT'])
        expect((await t.call({ date })).status).toBe(200);
      for (const date of [
        'Fri, 6 Nov 2026 5:1:9 GMT',
        'Fri, 06 Nov 2026 05:01:09 UTC',
        'Fri, 06 Nov 2026 05:01:09 +0000',
      ])
        expect((await t.call({ date })).status).toBe(400);
    });
  },
  { signatureProfile: 'strict' },
);
