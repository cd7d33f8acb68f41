import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  SettingsFault,
  configFrom,
  readSources,
  type Config,
} from '../../packages/server/src/platform/config/load.ts';
import { environmentName, settings } from '../../packages/server/src/platform/config/schema.ts';
import { masterKeyOf } from '../../packages/server/src/platform/config/master-key.ts';
import { unknownInEnvironment } from '../../packages/server/src/platform/config/unknown-names.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(environment: Record<string, string> = {}, file?: string): Config {
  return configFrom(readSources({ environment, folder, file }), folder);
}

function faultsOf(environment: Record<string, string>, file?: string): readonly string[] {
  try {
    load(environment, file);
  } catch (error) {
    if (error instanceof SettingsFault) return error.faults;
    throw error;
  }
  return [];
}

describe('secrets in files', () => {
  const secrets = Object.entries(settings).flatMap(([name, { secret }]) =>
    secret ? [environmentName(name)] : [],
  );
  const write = (text: string): string => {
    writeFileSync(join(folder, 'secret'), text);
    return 'secret';
  };

  test('are those of every secret setting, and of no other', () => {
    expect(secrets.length).toBeGreaterThan(4);
    for (const name of secrets) {
      const sources = readSources({ environment: { [`${name}_FILE`]: write(' v\n') }, folder });
      expect(Object.values(sources.given)).toEqual([{ text: 'v', source: 'secret' }]);
    }
    const unknown = unknownInEnvironment({
      ...Object.fromEntries(secrets.map((name) => [`${name}_FILE`, 'x'])),
      HELIOPORT_HOST_FILE: 'x',
    });
    expect(unknown.map(({ name }) => name)).toEqual(['HELIOPORT_HOST_FILE']);
  });

  test('are not given beside the setting itself, nor empty, nor missing', () => {
    const [name, file] = ['HELIOPORT_MASTER_KEY', 'HELIOPORT_MASTER_KEY_FILE'];
    expect(faultsOf({ [name]: KEY, [file]: write(KEY) })).toEqual([
      `${name}: is also given as ${file}; keep one of them (in environment)`,
    ]);
    expect(faultsOf({ [file]: write('\n') })).toEqual([
      `${file}: the file secret is empty (in environment)`,
    ]);
    expect(faultsOf({ [file]: 'none' })).toEqual([
      `${file}: the file none cannot be read (ENOENT) (in environment)`,
    ]);
    const [fault] = faultsOf({ [file]: write('no key') });
    expect(fault).toMatch(/^HELIOPORT_MASTER_KEY: must be base64 of 32 bytes .* \(in secret\)$/);
    expect(fault).not.toContain('no key');
  });

  test('of a source that another one overrides are not even opened', () => {
    writeFileSync(join(folder, '.env'), 'HELIOPORT_MASTER_KEY_FILE=none\n');
    expect(load({ HELIOPORT_MASTER_KEY: KEY }).masterKey).toEqual(Buffer.alloc(32, 7));
    expect(load({ HELIOPORT_MASTER_KEY_FILE: write(KEY) }).masterKey).toEqual(Buffer.alloc(32, 7));
  });
});

describe('settings', () => {
  test('processes are a number, or one for each core', () => {
    expect(load().processes).toBe(1);
    expect(load({ HELIOPORT_PROCESSES: '4' }).processes).toBe(4);
    expect(load({ HELIOPORT_PROCESSES: 'auto' }).processes).toBe(availableParallelism());
    for (const bad of ['0', '-1', '1.5', '257', 'all', 'AUTO'])
      expect(faultsOf({ HELIOPORT_PROCESSES: bad })).toEqual([
        'HELIOPORT_PROCESSES: must be auto or a whole number from 1 to 256 (in environment)',
      ]);
  });

  test('the map has tiles of a source that is named, and whose host is fixed', () => {
    const tiles = 'https://tiles.example.org/a/{z}/{x}/{y}.png?key=k';
    expect(load({ HELIOPORT_MAP_TILES: tiles, HELIOPORT_MAP_ATTRIBUTION: '© Us' })).toMatchObject({
      mapTiles: tiles,
      mapAttribution: '© Us',
    });
    for (const attribution of ['', ' ']) {
      expect(
        faultsOf({ HELIOPORT_MAP_TILES: tiles, HELIOPORT_MAP_ATTRIBUTION: attribution }),
      ).toEqual(['HELIOPORT_MAP_ATTRIBUTION: is required with HELIOPORT_MAP_TILES']);
    }
    for (const bad of [
      'tiles',
      'ftp://t/{z}/{x}/{y}',
      'https://t/{z}/{x}',
      'https://{x}.t/{z}/{x}/{y}',
      'https://t;/{z}/{x}/{y}',
      'https://t/{z}/{x}/{y}; script-src *',
    ]) {
      expect([
        bad,
        faultsOf({ HELIOPORT_MAP_TILES: bad, HELIOPORT_MAP_ATTRIBUTION: '© Us' }),
      ]).toEqual([
        bad,
        [expect.stringMatching(/^HELIOPORT_MAP_TILES: must be a URL that starts with/)],
      ]);
    }
  });

  test('without any, everything runs on loopback with the embedded database', () => {
    expect(load()).toMatchObject({
      dataDir: join(folder, 'data'),
      databaseAddress: join(folder, 'data', 'helioport.db'),
      databaseUrl: null,
      masterKey: null,
      roles: ['user-api', 'oauth', 'portal', 'gateway', 'worker'],
      host: '127.0.0.1',
      userApiPort: 8080,
      opsPort: 9464,
      userApiUrl: 'http://127.0.0.1:8080',
      oauthUrl: 'http://127.0.0.1:8081',
      portalUrl: 'http://127.0.0.1:8082',
      portalServed: true,
      signatureProfile: 'compatible',
      replayGuard: 'writes',
      rateLimit: 10,
      authFailureLimit: 60,
      legacyLogin: true,
      defaultTimeZone: 'UTC',
      trustedProxies: [],
      mqttUrl: null,
    });
  });

  test.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ HELIOPORT_ROLES: 'oauth' }, false],
    [{ HELIOPORT_ROLES: 'oauth', HELIOPORT_PORTAL_URL: 'https://portal.example.org' }, true],
  ])('with %j there is a portal to send people to: %s', (environment, served) => {
    expect(load(environment).portalServed).toBe(served);
  });

  test('the environment wins over the named file, and that over .env', () => {
    writeFileSync(
      join(folder, '.env'),
      'HELIOPORT_HOST=10.0.0.1\nHELIOPORT_OPS_PORT=1\nHELIOPORT_USER_API_PORT=2\n',
    );
    writeFileSync(
      join(folder, 'my.conf'),
      '# comment\nHELIOPORT_OPS_PORT=3\nHELIOPORT_USER_API_PORT="4"\n',
    );
    const config = load({ HELIOPORT_USER_API_PORT: '5' }, 'my.conf');
    expect(config).toMatchObject({
      host: '10.0.0.1',
      opsPort: 3,
      userApiPort: 5,
      userApiUrl: 'http://10.0.0.1:5',
    });
  });

  test('a blank value counts as not set', () => {
    expect(load({ HELIOPORT_HOST: '  ', HELIOPORT_MASTER_KEY: '' })).toMatchObject({
      host: '127.0.0.1',
      masterKey: null,
    });
  });

  test('all faults are reported at once, each with the name and where it was set', () => {
    writeFileSync(join(folder, '.env'), 'HELIOPORT_RATE_LIMIT=10/min\n');
    const faults = faultsOf({
      HELIOPORT_DATABASE_URL: 'mysql://x',
      HELIOPORT_USER_API_PORT: '70000',
      HELIOPORT_ROLES: 'user-api,cook',
      HELIOPORT_TRUSTED_PROXIES: '10.0.0.0/40',
      HELIOPORT_DEFAULT_TIME_ZONE: 'Mars/Olympus',
      HELIOPORT_MASTER_KEY: 'short',
      HELIOPORT_LEGACY_LOGIN: 'yes',
    });
    expect(faults.map((fault) => fault.split(':')[0]!).toSorted()).toEqual([
      'HELIOPORT_DATABASE_URL',
      'HELIOPORT_DEFAULT_TIME_ZONE',
      'HELIOPORT_LEGACY_LOGIN',
      'HELIOPORT_MASTER_KEY',
      'HELIOPORT_RATE_LIMIT',
      'HELIOPORT_ROLES',
      'HELIOPORT_TRUSTED_PROXIES',
      'HELIOPORT_USER_API_PORT',
    ]);
    expect(faults.find((fault) => fault.startsWith('HELIOPORT_RATE_LIMIT'))).toBe(
      'HELIOPORT_RATE_LIMIT: must be off or N/s with N from 1 to 1000000 (in .env)',
    );
  });

  test.each([
    'https://solar.example/?a=1',
    'https://solar.example/#a',
    'https://ada@solar.example',
    'ftp://solar.example',
    'solar.example',
  ])('a public address is an address and no more, not %s', (address) => {
    expect(
      faultsOf({
        HELIOPORT_OAUTH_URL: address,
        HELIOPORT_USER_API_URL: 'https://solar.example/plants/',
      }),
    ).toEqual([
      'HELIOPORT_OAUTH_URL: must be a URL that starts with http:// or https://, without query, fragment or user (in environment)',
    ]);
  });

  test('a fault never repeats the value, which may be a secret', () => {
    expect(
      faultsOf({ HELIOPORT_MASTER_KEY: 'hunter2', HELIOPORT_DATABASE_URL: 'hunter2' }).join(),
    ).not.toContain('hunter2');
  });

  test('a misspelt name in a file is a fault; the environment may hold what it likes', () => {
    writeFileSync(join(folder, '.env'), 'HELIOPORT_HSOT=1\nOTHER=2\n');
    expect(faultsOf({ HELIOPORT_SERVICE_HOST: '10.0.0.1' })).toEqual([
      'HELIOPORT_HSOT: no such setting (in .env); did you mean HELIOPORT_HOST?',
    ]);
  });

  test.each([
    ['HELIOPORT_DATABSE_URL', 'HELIOPORT_DATABASE_URL'],
    ['HELIOPORT_RATELIMIT', 'HELIOPORT_RATE_LIMIT'],
    ['HELIOPORT_USER_PORT', 'HELIOPORT_USER_API_PORT'],
    ['HELIOPORT_KEY', 'HELIOPORT_KEY_ID'],
    ['HELIOPORT_FAVOURITE_COLOUR', undefined],
    ['HELIOPORT_ZONE', 'HELIOPORT_DEFAULT_TIME_ZONE'],
    [
      'HELIOPORT_PORT',
      'HELIOPORT_USER_API_PORT, HELIOPORT_OAUTH_PORT, HELIOPORT_PORTAL_PORT, HELIOPORT_GATEWAY_PORT, HELIOPORT_MQTT_PORT or HELIOPORT_OPS_PORT',
    ],
  ])(
    'a name in the environment that nothing reads is found, %s with the one that is meant',
    (name, meant) => {
      expect(unknownInEnvironment({ [name]: 'x', OTHER: 'x' })).toEqual([{ name, meant }]);
    },
  );

  test('unknown names hide no bad values: everything that is wrong is named at once', () => {
    writeFileSync(
      join(folder, '.env'),
      'HELIOPORT_HSOT=1\nHELIOPORT_OPS_PORT=many\nHELIOPORT_RATE_LIMIT=much\n',
    );
    writeFileSync(join(folder, 'my.conf'), 'HELIOPORT_COLOUR=red\nHELIOPORT_ROLES=cook\n');
    expect(
      faultsOf({ HELIOPORT_LEGACY_LOGIN: 'yes' }, 'my.conf').map((fault) => fault.split(':')[0]!),
    ).toEqual([
      'HELIOPORT_HSOT',
      'HELIOPORT_COLOUR',
      'HELIOPORT_ROLES',
      'HELIOPORT_OPS_PORT',
      'HELIOPORT_RATE_LIMIT',
      'HELIOPORT_LEGACY_LOGIN',
    ]);
    expect(faultsOf({ HELIOPORT_RATE_LIMIT: 'much' }, 'none.conf')).toHaveLength(4);
  });

  test('a line of a file that says nothing is a fault with its number, and what it holds is not repeated', () => {
    writeFileSync(
      join(folder, '.env'),
      '# comment\n\nexport HELIOPORT_HOST=10.0.0.1\n  HELIOPORT_OPS_PORT = 4711 # remark\nOTHER="two\nlines = here"\nhunter2 is my password\r\nHELIOPORT_RATE_LIMIT 5/s\n  # indented\n=nothing\n',
    );
    expect(faultsOf({})).toEqual(
      [7, 8, 10].map((line) => `line ${line} (in .env): is neither NAME=value nor a # comment`),
    );
  });

  test('what client commands read, and what a container platform sets for a service of our name, is no misspelling', () => {
    const links = {
      HELIOPORT_SERVICE_HOST: '10.0.0.1',
      HELIOPORT_SERVICE_PORT_HTTP: '80',
      HELIOPORT_PORT: 'tcp://10.0.0.1:80',
      HELIOPORT_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(
      unknownInEnvironment({ HELIOPORT_KEY_SECRET: 'x', HELIOPORT_HOST: 'x', ...links }),
    ).toEqual([]);
  });

  test('a named file that is not there is a fault, a missing .env is not', () => {
    expect(faultsOf({}, 'none.conf')).toEqual([
      `the settings file ${join(folder, 'none.conf')} cannot be read (ENOENT)`,
    ]);
  });

  test('two listeners cannot have one port, except any free one', () => {
    expect(faultsOf({ HELIOPORT_GATEWAY_PORT: '8080' })).toEqual([
      'HELIOPORT_GATEWAY_PORT: is the same as HELIOPORT_USER_API_PORT (8080)',
    ]);
    expect(faultsOf({ HELIOPORT_GATEWAY_PORT: '0', HELIOPORT_USER_API_PORT: '0' })).toEqual([]);
  });

  test('TLS of the broker needs a certificate and its key, and an external one that speaks TLS', () => {
    const HELIOPORT_MQTT_TLS_CERT = 'cert.pem';
    const HELIOPORT_MQTT_TLS_KEY = 'key.pem';
    expect(load({ HELIOPORT_MQTT_TLS_CERT, HELIOPORT_MQTT_TLS_KEY })).toMatchObject({
      mqttTlsCert: join(folder, 'cert.pem'),
      mqttTlsKey: join(folder, 'key.pem'),
    });
    expect(faultsOf({ HELIOPORT_MQTT_TLS_CERT })).toEqual([
      'HELIOPORT_MQTT_TLS_KEY: is required with HELIOPORT_MQTT_TLS_CERT',
    ]);
    expect(faultsOf({ HELIOPORT_MQTT_TLS_KEY })).toEqual([
      'HELIOPORT_MQTT_TLS_CERT: is required with HELIOPORT_MQTT_TLS_KEY',
    ]);
    const external = faultsOf({
      HELIOPORT_MQTT_TLS_CERT,
      HELIOPORT_MQTT_TLS_KEY,
      HELIOPORT_MQTT_URL: 'mqtt://broker',
    });
    expect(external).toEqual([expect.stringContaining('HELIOPORT_MQTT_TLS_CERT: is of no use')]);
    const HELIOPORT_MQTT_TLS_CA = 'ca.pem';
    expect(faultsOf({ HELIOPORT_MQTT_TLS_CA })).toEqual([
      expect.stringContaining('HELIOPORT_MQTT_TLS_CA: is of no use'),
    ]);
    expect(
      load({
        HELIOPORT_MQTT_TLS_CERT,
        HELIOPORT_MQTT_TLS_KEY,
        HELIOPORT_MQTT_TLS_CA,
        HELIOPORT_MQTT_URL: 'mqtts://broker',
      }),
    ).toMatchObject({ mqttTlsCa: join(folder, 'ca.pem') });
  });

  test('an SMTP server needs a sender, and a sender is one address', () => {
    const HELIOPORT_SMTP_URL = 'smtps://user:password@mail.example.org';
    expect(faultsOf({ HELIOPORT_SMTP_URL })).toEqual([
      'HELIOPORT_MAIL_FROM: is required with HELIOPORT_SMTP_URL',
    ]);
    for (const from of ['sun@example.org', 'Sun <sun@example.org>', '<sun@example.org>'])
      expect(load({ HELIOPORT_SMTP_URL, HELIOPORT_MAIL_FROM: from })).toMatchObject({
        mailFrom: from,
      });
    for (const from of [
      'sun',
      'a@b, c@d',
      'Sun <sun@example.org>, x@y',
      'sun@example.org>',
      'Sun\u0000 <sun@example.org>',
    ])
      expect(faultsOf({ HELIOPORT_MAIL_FROM: from })).toEqual([
        expect.stringContaining('HELIOPORT_MAIL_FROM: must be an e-mail address'),
      ]);
  });

  test('an operator who lets people sign up sends e-mails', () => {
    expect(faultsOf({ HELIOPORT_SIGN_UP: 'on' })).toEqual([
      'HELIOPORT_SMTP_URL: is required with HELIOPORT_SIGN_UP=on',
    ]);
    const mail = {
      HELIOPORT_SMTP_URL: 'smtp://mail.example.org',
      HELIOPORT_MAIL_FROM: 'sun@example.org',
    };
    expect(load({ ...mail, HELIOPORT_SIGN_UP: 'on' })).toMatchObject({ signUp: true });
    expect(load(mail)).toMatchObject({ signUp: false });
  });

  test('PostgreSQL needs a master key of its own', () => {
    const HELIOPORT_DATABASE_URL = 'postgres://helioport@db/helioport';
    expect(faultsOf({ HELIOPORT_DATABASE_URL })).toEqual([
      'HELIOPORT_MASTER_KEY: is required with PostgreSQL',
    ]);
    expect(load({ HELIOPORT_DATABASE_URL, HELIOPORT_MASTER_KEY: KEY }).databaseAddress).toBe(
      HELIOPORT_DATABASE_URL,
    );
  });

  test('public addresses lose the slash at their end, and a person can call what 0.0.0.0 listens on', () => {
    const config = load({
      HELIOPORT_HOST: '0.0.0.0',
      HELIOPORT_OAUTH_URL: 'https://login.example.org/',
    });
    expect(config).toMatchObject({
      oauthUrl: 'https://login.example.org',
      userApiUrl: 'http://127.0.0.1:8080',
    });
    expect(load({ HELIOPORT_HOST: '::1' }).userApiUrl).toBe('http://[::1]:8080');
  });

  test.each([
    ['off', null],
    ['1/s', 1],
    ['250/s', 250],
  ])('a rate limit %s reads as %s', (text, value) => {
    expect(load({ HELIOPORT_RATE_LIMIT: text }).rateLimit).toBe(value);
  });

  test.each(['0d', '400', '400h', '-1d', '1.5d', '99999999d'])(
    'an age of the audit trail of %s is refused',
    (text) => {
      expect(faultsOf({ HELIOPORT_AUDIT_RETENTION: text })).toHaveLength(1);
      expect([
        load().auditRetention,
        load({ HELIOPORT_AUDIT_RETENTION: '30d' }).auditRetention,
      ]).toEqual([400, 30]);
    },
  );

  test.each(['0/s', '10', '10/m', '-1/s', '1.5/s', '10/s/s', '99999999/s'])(
    'a rate limit %s is refused',
    (text) => {
      expect(faultsOf({ HELIOPORT_RATE_LIMIT: text })).toHaveLength(1);
    },
  );

  test.each(['10.0.0.0/8', '10.0.0.1', '::1/128', 'fe80::/10,127.0.0.1'])(
    'trusted proxies %s are accepted',
    (text) => {
      expect(load({ HELIOPORT_TRUSTED_PROXIES: text }).trustedProxies).toEqual(text.split(','));
    },
  );

  test.each(['10.0.0.0/33', 'proxy', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '10.0.0.0/-1'])(
    'trusted proxies %s are refused',
    (text) => {
      expect(faultsOf({ HELIOPORT_TRUSTED_PROXIES: text })).toHaveLength(1);
    },
  );
});

describe('master key', () => {
  test('is made once, for its owner alone, and found again', () => {
    const made = masterKeyOf(load());
    expect(made).toHaveLength(32);
    expect(masterKeyOf(load())).toEqual(made);
    expect(statSync(join(folder, 'data', 'master.key')).mode & 0o777).toBe(0o600);
  });

  test('a setting wins and leaves no file', () => {
    const config = load({ HELIOPORT_MASTER_KEY: KEY });
    expect(Buffer.from(masterKeyOf(config))).toEqual(Buffer.alloc(32, 7));
    expect(() => readFileSync(join(folder, 'data', 'master.key'))).toThrow('ENOENT');
  });

  test('a damaged file is a fault, never a new key', () => {
    masterKeyOf(load());
    writeFileSync(join(folder, 'data', 'master.key'), 'damaged\n');
    expect(() => masterKeyOf(load())).toThrow(SettingsFault);
    expect(readFileSync(join(folder, 'data', 'master.key'), 'utf8')).toBe('damaged\n');
  });
});
