import { isIPv6 } from 'node:net';
import { invalidValue } from '../../platform/kernel/failure.ts';

/** What the URL of a destination says. */
export interface DestinationAddress {
  readonly transport: 'http' | 'mqtt' | 'rocketmq';
  readonly encrypted: boolean;
  /** A name or an address, in its one spelling; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** With the query; `/` for transports without paths. */
  readonly path: string;
}

const schemes = {
  https: { transport: 'http', encrypted: true, port: 443 },
  http: { transport: 'http', encrypted: false, port: 80 },
  mqtts: { transport: 'mqtt', encrypted: true, port: 8883 },
  mqtt: { transport: 'mqtt', encrypted: false, port: 1883 },
  rocketmqs: { transport: 'rocketmq', encrypted: true, port: 8081 },
  rocketmq: { transport: 'rocketmq', encrypted: false, port: 8081 },
} as const;

const LENGTH_AT_MOST = 2000;

const fault = (expected: string): Error => invalidValue('url', expected);

/** Reads the URL of a destination. Throws invalidValue. */
export function readDestinationAddress(text: string): DestinationAddress {
  const [, name = '', rest = ''] = /^([a-z]+):\/\/(.*)$/s.exec(text) ?? [];
  if (!Object.hasOwn(schemes, name))
    throw fault(`an address that begins with one of ${Object.keys(schemes).join('://, ')}://`);
  const { transport, encrypted, port } = schemes[name as keyof typeof schemes];
  if (text.length > LENGTH_AT_MOST) throw fault(`at most ${LENGTH_AT_MOST} characters`);
  if (!/^[\x21-\x7e]*$/.test(rest) || rest.includes('\\'))
    throw fault(
      'printable ASCII: host names with other letters as punycode, other characters percent-encoded',
    );
  // Only of the schemes of the web does URL reduce the many spellings of an IPv4 address to one: 0x7f000001, 127.1, 2130706433.
  if (/^[/?#]/.test(rest) || !URL.canParse(`https://${rest}`)) throw fault('a host after ://');
  const url = new URL(`https://${rest}`);
  if (rest.split(/[/?#]/)[0]!.includes('@'))
    throw fault('no user name or password: they are settings of their own');
  if (rest.includes('#')) throw fault('no fragment');
  if (transport !== 'http' && (url.pathname !== '/' || rest.includes('?')))
    throw fault('nothing after host and port');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // rocketmq-client-nodejs 1.0.8 takes the first colon for the end of the host.
  if (transport === 'rocketmq' && isIPv6(host)) throw fault('a name or an IPv4 address');
  const [, given] = /^(?:\[[^\]]*\]|[^/?#:]*):(\d*)/.exec(rest) ?? [];
  if (given === '0') throw fault('a port from 1 to 65535');
  return {
    transport,
    encrypted,
    host,
    port: given ? Number(given) : port,
    path: url.pathname + url.search,
  };
}
