import { describe, expect, test } from 'vitest';
import {
  isSameMailbox,
  mailboxKey,
  readMailbox,
  readSender,
  spellingsOf,
  untagged,
} from '../../packages/server/src/platform/kernel/addresses/mailbox.ts';

describe('a mailbox', () => {
  test.each([
    ['a@b', 'a@b'],
    ['Ann.Lee+pv@Example.COM', 'ann.lee+pv@example.com'],
    ['  spaced@example.com  ', 'spaced@example.com'],
    ["o'brien_{x}|~=?^`#$&*/-@x-1.example", "o'brien_{x}|~=?^`#$&*/-@x-1.example"],
    ['ü@exämple.de', 'ü@exämple.de'],
    ['u\u0308@exa\u0308mple.de', 'ü@exämple.de'],
    ['ü@xn--exmple-cua.de', 'ü@exämple.de'],
    ['太陽@例え.jp', '太陽@例え.jp'],
    [`${'a'.repeat(64)}@b.c`, `${'a'.repeat(64)}@b.c`],
  ])('%j is read as %j', (text, mailbox) => {
    expect(readMailbox(text)).toBe(mailbox);
    expect(readMailbox(mailbox)).toBe(mailbox);
  });

  test.each([
    // Lists, groups, comments, angle brackets, routes and quotes.
    'victim@v.example,1',
    'victim@v.example, other@v.example',
    'a,victim@v.example',
    'a;victim@v.example',
    'friends:victim@v.example;',
    '<victim@v.example>',
    'Ada <victim@v.example>',
    '<@relay.example:victim@v.example>',
    'victim@v.example(c)',
    'victim(c)@v.example',
    '"victim"@v.example',
    '"a@b"@v.example',
    String.raw`vic\tim@v.example`,
    'victim%v.example@relay',
    'v.example!victim@relay',
    'victim@v.example@relay.example',
    'mailto:victim@v.example',
    'a[b]@v.example',
    // White space and control characters.
    'vic tim@v.example',
    'victim@v. example',
    'victim@v.example\r\nBcc: x@y.example',
    'victim@v.example\u0000',
    'victim\u0085@v.example',
    'victim\u200b@v.example',
    'victim\u00ad@v.example',
    'victim@v.\u200bexample',
    'victim\u202e@v.example',
    'victim\u3000@v.example',
    // Look-alikes of separators, letters and digits.
    'victim\uff20v.example',
    'victim\ufe6bv.example',
    'a\uff0cvictim@v.example',
    'victim\uff1c@v.example',
    'victim@v\uff0eexample',
    'victim@v\u3002example',
    'victim@v\uff61example',
    'victim\u2024x@v.example',
    'victim@\uff56.example',
    '\uff56ictim@v.example',
    'victi\u217f@v.example',
    '\ufb01nn@v.example',
    'victim\u00b2@v.example',
    'victim@v.example\u2460',
    '\u0301a@v.example',
    // Dots and labels.
    '.victim@v.example',
    'victim.@v.example',
    'vic..tim@v.example',
    'victim@v..example',
    'victim@.example',
    'victim@v.example.',
    'victim@-v.example',
    'victim@v-.example',
    'victim@v_x.example',
    'victim@xn--.example',
    'victim@xn--exmple-cua.exämple',
    // Addresses of machines.
    'victim@[127.0.0.1]',
    'victim@[IPv6:::1]',
    'victim@127.0.0.1',
    'victim@127.1',
    'victim@0x7f000001',
    'victim@2130706433',
    // Lengths and emptiness.
    '',
    '@',
    'victim',
    'victim@',
    '@v.example',
    `${'a'.repeat(65)}@b.c`,
    `${'ü'.repeat(33)}@b.c`,
    `a@${'b'.repeat(64)}.example`,
    `a@${'b.'.repeat(126)}bb`,
    `a@${'b'.repeat(254)}`,
    '\ud800@v.example',
  ])('%j is none', (text) => {
    expect(readMailbox(text)).toBeUndefined();
  });

  test('has one key under all its spellings, and accounts are found under each', () => {
    for (const text of ['Ü@XN--EXMPLE-CUA.de', 'ü@exämple.de', ' u\u0308@EXÄMPLE.de'])
      expect(mailboxKey(text)).toBe('ü@exämple.de');
    expect(isSameMailbox('a@xn--exmple-cua.de', 'A@exämple.de')).toBe(true);
    expect(isSameMailbox('a@example.de', 'b@example.de')).toBe(false);
    expect(spellingsOf('A@exämple.de')).toEqual(['a@exämple.de', 'a@xn--exmple-cua.de']);
    expect(spellingsOf('a@xn--exmple-cua.de')).toEqual(['a@xn--exmple-cua.de', 'a@exämple.de']);
    expect(spellingsOf(' Victim@V.example,1')).toEqual(['victim@v.example,1']);
  });

  test.each([
    ['ann+pv@example.org', 'ann@example.org'],
    ['Ann+a+b@example.org', 'ann@example.org'],
    ['ann@example.org', undefined],
    ['+ann@example.org', undefined],
  ])('%j without its tag is %j', (address, mailbox) => {
    expect(untagged(address)).toBe(mailbox);
  });
});

describe('a sender', () => {
  test.each([
    ['Sun@example.org', { name: '', address: 'Sun@example.org' }],
    ['<sun@example.org>', { name: '', address: 'sun@example.org' }],
    ['Sun, Wind & Co <sun@example.org>', { name: 'Sun, Wind & Co', address: 'sun@example.org' }],
    ['"Sun" <sun@example.org>', { name: 'Sun', address: 'sun@example.org' }],
    ['Sun<sun@example.org>', { name: 'Sun', address: 'sun@example.org' }],
  ])('is read from %j', (text, sender) => {
    expect(readSender(text)).toEqual(sender);
  });
  test.each([
    'sun',
    'a@b, c@d',
    'Sun <sun@example.org>, x@y',
    'sun@example.org>',
    'Sun\u0000 <sun@example.org>',
    'Sun\r\nBcc: x@y <sun@example.org>',
    'Sun <sun@example.org,x@y>',
    'Sun < sun@example.org>',
    '<a@b> <sun@example.org>',
    'Sun <sun@\uff0eexample.org>',
  ])('is none: %j', (text) => {
    expect(readSender(text)).toBeUndefined();
  });
});
