import { expect, test } from 'vitest';
import { readDestinationAddress } from '../../../packages/server/src/outbound/sinks/address.ts';

test.each([
  [
    'https://Example.org',
    { transport: 'http', encrypted: true, host: 'example.org', port: 443, path: '/' },
  ],
  [
    'https://example.org:8443/a/b?c=d',
    { transport: 'http', encrypted: true, host: 'example.org', port: 8443, path: '/a/b?c=d' },
  ],
  [
    'http://10.0.0.1/',
    { transport: 'http', encrypted: false, host: '10.0.0.1', port: 80, path: '/' },
  ],
  [
    'https://[2001:DB8::1]:444',
    { transport: 'http', encrypted: true, host: '2001:db8::1', port: 444, path: '/' },
  ],
  [
    'mqtts://broker.example',
    { transport: 'mqtt', encrypted: true, host: 'broker.example', port: 8883, path: '/' },
  ],
  [
    'mqtt://broker.example',
    { transport: 'mqtt', encrypted: false, host: 'broker.example', port: 1883, path: '/' },
  ],
  [
    'mqtts://broker.example:443/',
    { transport: 'mqtt', encrypted: true, host: 'broker.example', port: 443, path: '/' },
  ],
  ['mqtts://[::1]', { transport: 'mqtt', encrypted: true, host: '::1', port: 8883, path: '/' }],
  [
    'rocketmqs://mq.example',
    { transport: 'rocketmq', encrypted: true, host: 'mq.example', port: 8081, path: '/' },
  ],
  [
    'rocketmq://mq.example:80',
    { transport: 'rocketmq', encrypted: false, host: 'mq.example', port: 80, path: '/' },
  ],
])('reads %s', (url, address) => {
  expect(readDestinationAddress(url)).toEqual(address);
});

// Of the schemes of the web alone would URL see through these.
test.each(
  ['2130706433', '0x7f000001', '0x7f.1', '127.1', '0177.0.0.1', '127.0.0.1.', '①②⑦.0.0.1'].flatMap(
    (host) => ['https', 'mqtts', 'rocketmqs'].map((scheme) => [scheme, host]),
  ),
)('knows 127.0.0.1 behind %s://%s', (scheme, host) => {
  if (/[^ -~]/.test(host))
    expect(() => readDestinationAddress(`${scheme}://${host}`)).toThrow('printable ASCII');
  else expect(readDestinationAddress(`${scheme}://${host}`).host).toBe('127.0.0.1');
});

test.each([
  ['', 'an address that begins with one of https://'],
  ['example.org', 'an address that begins with'],
  ['ftp://example.org', 'an address that begins with'],
  ['file:///etc/passwd', 'an address that begins with'],
  ['HTTPS://example.org', 'an address that begins with'],
  ['__proto__://example.org', 'an address that begins with'],
  ['https://', 'a host after ://'],
  ['https:///path', 'a host after ://'],
  ['https://?query', 'a host after ://'],
  ['https://exa mple.org', 'printable ASCII'],
  ['https://example.org/a\nb', 'printable ASCII'],
  ['https://example.org\\@evil.example', 'printable ASCII'],
  ['https://exämple.org', 'printable ASCII'],
  ['https://user@example.org', 'no user name or password'],
  ['https://user:password@example.org', 'no user name or password'],
  ['https://@example.org', 'no user name or password'],
  ['https://example.org/#part', 'no fragment'],
  ['https://example.org:0', 'a port from 1 to 65535'],
  ['https://example.org:65536', 'a host after ://'],
  ['https://example.org:http', 'a host after ://'],
  ['https://999.1.1.1', 'a host after ://'],
  ['https://[::1', 'a host after ://'],
  ['mqtts://broker.example/topic', 'nothing after host and port'],
  ['rocketmqs://mq.example?x=1', 'nothing after host and port'],
  ['rocketmqs://mq.example/?', 'nothing after host and port'],
  ['rocketmqs://[2001:db8::1]:8081', 'a name or an IPv4 address'],
  [`https://example.org/${'x'.repeat(2000)}`, 'at most 2000 characters'],
])('refuses %s', (url, expected) => {
  expect(() => readDestinationAddress(url)).toThrow(expected);
});
