import { expect, test } from 'vitest';
import { mayReach } from '../../../packages/server/src/platform/egress/addresses.ts';

const everything = ['0.0.0.0/0', '::/0'];

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:8.8.8.8',
])('%s is on the public internet: it is reached, but not in the clear', (address) => {
  expect([mayReach(address, [], true), mayReach(address, [], false)]).toEqual([true, false]);
});

test.each([
  '10.1.2.3',
  '192.168.1.1',
  '127.0.0.1',
  '100.64.0.1',
  '::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '198.18.0.1',
])('%s is reached only if the operator allows it, and then in the clear as well', (address) => {
  for (const encrypted of [true, false]) {
    expect(mayReach(address, [], encrypted)).toBe(false);
    expect(mayReach(address, ['203.0.113.0/24'], encrypted)).toBe(false);
    expect(mayReach(address, everything, encrypted)).toBe(true);
  }
});

const never =
  '0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 224.0.0.1 239.1.1.1 255.255.255.255 100.100.100.200 168.63.129.16 192.0.0.192';
const never6 = ':: fe80::1 febf::1 ff02::1 fd00:ec2::254 fd20:ce::254 ::ffff:169.254.169.254';

test.each(`${never} ${never6}`.split(' '))(
  '%s is never reached, whatever the operator allows',
  (address) => {
    expect(
      mayReach(address, [...everything, `${address}/${address.includes(':') ? 128 : 32}`], true),
    ).toBe(false);
  },
);

test('an allowed network reaches no further than itself', () => {
  expect(mayReach('10.1.2.3', ['10.1.2.0/24'], false)).toBe(true);
  expect(mayReach('10.1.3.1', ['10.1.2.0/24'], false)).toBe(false);
  expect(mayReach('::ffff:10.1.2.3', ['10.1.2.0/24'], false)).toBe(true);
});

test('of a translator that the operator allows, the address behind it counts', () => {
  const allowed = ['64:ff9b::/96', '2002::/16'];
  expect(mayReach('64:ff9b::808:808', allowed, true)).toBe(true);
  expect(mayReach('64:ff9b::7f00:1', allowed, true)).toBe(false);
  expect(mayReach('64:ff9b::a9fe:a9fe', [...allowed, ...everything], true)).toBe(false);
  expect(mayReach('2002:808:808::1', allowed, true)).toBe(true);
  expect(mayReach('2002:a00:1::1', allowed, true)).toBe(false);
  expect(mayReach('2002:a00:1::1', [...allowed, '10.0.0.0/8'], true)).toBe(true);
});

test.each(['', 'localhost', '1.2.3.4.5', 'x', '::g', '127.0.0.1/8'])('%j is no address', (text) => {
  expect(mayReach(text, everything, true)).toBe(false);
});
