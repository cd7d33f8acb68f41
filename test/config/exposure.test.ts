import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  exposures,
  isHandedOver,
  othersMay,
} from '../../packages/server/src/platform/config/exposure.ts';
import {
  SettingsFault,
  configFrom,
  readSources,
  type Config,
} from '../../packages/server/src/platform/config/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'helioport-exposure-'));
afterAll(() => rmSync(folder, { recursive: true }));
const load = (environment: Record<string, string>): Config =>
  configFrom(readSources({ environment, folder }), folder);

test('the usual settings expose nothing', () => {
  expect(exposures(load({}))).toEqual([]);
  expect(
    exposures(load({ HELIOPORT_EGRESS_ALLOW: '10.0.0.0/8', HELIOPORT_HOST: '192.0.2.1' })),
  ).toEqual([]);
});

test.each([
  [{ HELIOPORT_EGRESS_ALLOW: '10.0.0.0/8,0.0.0.0/0' }, [/EGRESS_ALLOW holds 0.0.0.0\/0: .*name/]],
  [{ HELIOPORT_EGRESS_ALLOW: '::/0' }, [/EGRESS_ALLOW holds ::\/0/]],
  [
    { HELIOPORT_RATE_LIMIT: 'off', HELIOPORT_AUTH_FAILURE_LIMIT: 'off' },
    [/^HELIOPORT_RATE_LIMIT, HELIOPORT_AUTH_FAILURE_LIMIT: off, .*remove the setting/],
  ],
  [{ HELIOPORT_COLLECTOR_RATE_LIMIT: 'off' }, [/^HELIOPORT_COLLECTOR_RATE_LIMIT: off/]],
  [
    { HELIOPORT_HOST: '0.0.0.0' },
    [/HOST=0.0.0.0: user-api, oauth, portal, gateway can be reached/, /MQTT broker takes .*TLS/],
  ],
  [{ HELIOPORT_HOST: '::', HELIOPORT_ROLES: 'worker' }, []],
  [
    { HELIOPORT_HOST: '::', HELIOPORT_MQTT_TLS_CERT: 'a', HELIOPORT_MQTT_TLS_KEY: 'b' },
    [/HELIOPORT_HOST=::/],
  ],
  [{ HELIOPORT_OPS_HOST: '0.0.0.0' }, [/^HELIOPORT_OPS_HOST=0.0.0.0: metrics/]],
] as [Record<string, string>, RegExp[]][])('%o is named with its remedy', (settings, expected) => {
  expect(exposures(load(settings))).toEqual(expected.map((text) => expect.stringMatching(text)));
});

test('files that others can read or replace are named, unless their folder is closed', () => {
  const dataDir = join(folder, 'files');
  mkdirSync(dataDir);
  for (const name of ['helioport.db', 'helioport.db-wal', 'master.key'])
    writeFileSync(join(dataDir, name), '');
  const found = (mode: number, ofFiles: number): string[] => {
    for (const name of ['helioport.db', 'helioport.db-wal', 'master.key'])
      chmodSync(join(dataDir, name), ofFiles);
    chmodSync(dataDir, mode);
    return exposures(load({ HELIOPORT_DATA_DIR: dataDir }));
  };
  expect(found(0o700, 0o666)).toEqual([]);
  expect(found(0o755, 0o600)).toEqual([]);
  expect(found(0o777, 0o600)).toEqual([expect.stringContaining(`chmod 700 ${dataDir}`)]);
  expect(found(0o755, 0o644)).toEqual([
    expect.stringMatching(
      /helioport\.db, .*db-wal, .*master\.key: can be read by others; chmod 600/,
    ),
  ]);
});

test('files of settings and secrets that others can read or change are named, wherever they are', () => {
  const place = mkdtempSync(join(folder, 'settings-'));
  const [env, named, secret, inFile] = ['.env', 'other.env', 'key', 'smtp'].map((name) =>
    join(place, name),
  ) as [string, string, string, string];
  const found = (mode: number): string[] => {
    for (const file of [env, named, secret, inFile]) chmodSync(file, mode);
    const environment = { HELIOPORT_MASTER_KEY_FILE: 'key' };
    return exposures(configFrom(readSources({ environment, folder: place, file: named }), place));
  };
  writeFileSync(env, 'HELIOPORT_RATE_LIMIT=off\n');
  writeFileSync(named, `HELIOPORT_SMTP_URL_FILE=${inFile}\nHELIOPORT_MAIL_FROM=a@example.org\n`);
  writeFileSync(secret, Buffer.alloc(32, 7).toString('base64'));
  writeFileSync(inFile, 'smtp://user:secret@192.0.2.1');
  const limits = expect.stringMatching(/^HELIOPORT_RATE_LIMIT: off/);
  expect(found(0o600)).toEqual([limits]);
  expect(found(0o640)).toEqual([
    limits,
    `${secret}, ${inFile}: can be read by others; chmod 600 ${secret} ${inFile}`,
  ]);
  expect(found(0o622)).toEqual([
    limits,
    `${secret}, ${inFile}: can be read by others; chmod 600 ${secret} ${inFile}`,
    `${env}, ${named}: can be changed by others; chmod go-w ${env} ${named}`,
  ]);
  // A secret beside other settings.
  writeFileSync(
    named,
    'HELIOPORT_SMTP_URL=smtp://user:secret@192.0.2.1\nHELIOPORT_MAIL_FROM=a@example.org\n',
  );
  expect(found(0o644)).toEqual([
    limits,
    expect.stringMatching(new RegExp(`^(?=.*${named})(?=.*${secret})(?!.*${env})`)),
  ]);
});

test.each([
  [0o640, 'own', true],
  [0o604, 'own', true],
  [0o600, 'own', false],
  [0o640, 'root’s', false],
  [0o644, 'root’s', true],
] as const)('a file with mode %o that is %s can be read by others: %s', (mode, whose, may) => {
  expect(othersMay({ mode, uid: whose === 'own' ? 1_000 : 0 }, 0o077, 1_000)).toBe(may);
});

test('secrets that were handed over are named by nobody, since their modes are not ours to change', () => {
  for (const file of ['/run/secrets/key', '/var/run/secrets/key', '/run/credentials/x.service/key'])
    expect([file, isHandedOver(file)]).toEqual([file, true]);
  for (const file of ['/secrets/key', '/srv/run/secrets/key', '/run/secretsanta'])
    expect([file, isHandedOver(file)]).toEqual([file, false]);
});

test.each(['0.0.0.0/0', '10.0.0.0/8,::/0', '128.0.0.0/1', '8000::/1', '::ffff:0.0.0.0/96'])(
  'proxies cannot be trusted in all of %s',
  (cidrs) => {
    expect(() => load({ HELIOPORT_TRUSTED_PROXIES: cidrs })).toThrow(SettingsFault);
    expect(() => load({ HELIOPORT_TRUSTED_PROXIES: cidrs })).toThrow(
      /HELIOPORT_TRUSTED_PROXIES: must not trust .*which anybody may come from: name the addresses/,
    );
  },
);

test('proxies in private networks can be trusted', () => {
  const cidrs = ['10.0.0.0/8', '127.0.0.1', '192.168.0.0/16', 'fc00::/7', '::1', '::ffff:10.0.0.1'];
  expect(load({ HELIOPORT_TRUSTED_PROXIES: cidrs.join(',') }).trustedProxies).toEqual(cidrs);
});
