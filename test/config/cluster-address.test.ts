import { expect, test } from 'vitest';
import { readClusterAddress } from '../../packages/server/src/platform/config/cluster-address.ts';
import {
  SettingsFault,
  configFrom,
  readSources,
} from '../../packages/server/src/platform/config/load.ts';

test('an address says where the cluster is, and what else there is to know', () => {
  expect(
    readClusterAddress(
      'cassandra://solar:p%40ss@node1,10.0.0.2:9043/series?dc=east&replication=east:3,west:2&consistency=quorum&ca=ca.pem',
    ),
  ).toEqual({
    hosts: ['node1', '10.0.0.2'],
    port: 9043,
    keyspace: 'series',
    dataCenter: 'east',
    user: { name: 'solar', password: 'p@ss' },
    consistency: 'quorum',
    replication: { east: 3, west: 2 },
    tls: 'on',
    caFile: 'ca.pem',
  });
  expect(readClusterAddress('cassandra://[::1]/s?dc=east')).toEqual({
    hosts: ['[::1]'],
    port: 9042,
    keyspace: 's',
    dataCenter: 'east',
    user: undefined,
    consistency: 'local_quorum',
    replication: { east: 3 },
    tls: 'off',
    caFile: undefined,
  });
});

test.each([
  ['postgres://a/b?dc=x', /^look like cassandra:/],
  ['cassandra://a b/series?dc=x', /^look like/],
  ['cassandra://a,,b/series?dc=x', /^look like/],
  ['cassandra://a:0/series?dc=x', /port from 1/],
  ['cassandra://a:70000/series?dc=x', /port from 1/],
  ['cassandra://a/?dc=x', /name a keyspace/],
  ['cassandra://a/Series?dc=x', /name a keyspace/],
  ['cassandra://a/s;drop?dc=x', /name a keyspace/],
  ['cassandra://a/series', /name the data center/],
  ['cassandra://a/series?dc=x&copies=3', /no parameters but .*, not copies$/],
  ['cassandra://a/series?dc=x&consistency=one', /acknowledged readings could be lost/],
  ['cassandra://a/series?dc=x&tls=perhaps', /tls=on, tls=chain or tls=off/],
  ['cassandra://a/series?dc=x&tls=off&ca=f', /no ca with tls=off/],
  ['cassandra://a/series?dc=x&replication=0', /have a replication/],
  ['cassandra://a/series?dc=x&replication=y:3', /have a replication/],
  ['cassandra://%zz:b@a/series?dc=x', /user and a password/],
  ["cassandra://a/series?dc=x'}&replication=3", /data center/],
])('%s is refused with the reason', (text, reason) => {
  expect(readClusterAddress(text)).toMatch(reason);
});

test('a wrong one is a fault that names the setting and shows no password', () => {
  const environment = { HELIOPORT_SERIES_URL: 'cassandra://solar:kestrel42@a/Series?dc=x' };
  const fault = ((): unknown => {
    try {
      return configFrom(readSources({ environment, folder: '/' }), '/');
    } catch (error) {
      return error;
    }
  })();
  expect(fault).toBeInstanceOf(SettingsFault);
  expect((fault as SettingsFault).message).toMatch(
    /^HELIOPORT_SERIES_URL: must name a keyspace of .* \(in environment\)$/,
  );
  expect((fault as SettingsFault).message).not.toContain('kestrel42');
});
