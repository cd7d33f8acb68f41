import { chmodSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Installation } from '../../support/command.ts';
import { makeSelfSigned } from '../../support/machine/self-signed.ts';

/** A fault that is put into an installation, and what `helioport doctor` has to say of it. */
export interface PutFault {
  readonly fault: string;
  readonly put: (home: Installation) => void | Promise<void>;
  readonly check: string;
  readonly state: 'fault' | 'warning';
  /** What is wrong, and what is to be done. */
  readonly says: readonly [wrong: RegExp, remedy: RegExp];
  /** How many days later it is looked for. */
  readonly later?: number;
}

const data = (home: Installation, name: string): string => join(home.folder, 'data', name);
const set =
  (settings: Readonly<Record<string, string>>): PutFault['put'] =>
  (home) =>
    void Object.assign(home.environment, settings);
const sql =
  (statement: string): PutFault['put'] =>
  (home) => {
    const db = new DatabaseSync(data(home, 'helioport.db'));
    db.exec(statement);
    db.close();
  };
const certificate = (home: Installation): void => {
  const [certFile, keyFile] = [join(home.folder, 'cert.pem'), join(home.folder, 'key.pem')];
  makeSelfSigned({ certFile, keyFile, name: 'localhost' });
  Object.assign(home.environment, {
    HELIOPORT_MQTT_TLS_CERT: certFile,
    HELIOPORT_MQTT_TLS_KEY: keyFile,
  });
};
const KEY = Buffer.alloc(32, 1).toString('base64');
const proxied = {
  HELIOPORT_OAUTH_URL: 'https://login.solar.example',
  HELIOPORT_USER_API_URL: 'https://api.solar.example',
};

export const putFaults: readonly PutFault[] = [
  {
    fault: 'the name of a setting is misspelt',
    put: set({ HELIOPORT_DATABSE_URL: 'x' }),
    check: 'settings',
    state: 'warning',
    says: [/HELIOPORT_DATABSE_URL: no such setting/, /did you mean HELIOPORT_DATABASE_URL/],
  },
  {
    fault: 'a setting has a value that cannot be',
    put: set({ HELIOPORT_OPS_PORT: 'many' }),
    check: 'settings',
    state: 'fault',
    says: [/HELIOPORT_OPS_PORT/, /a port/],
  },
  {
    fault: 'PostgreSQL is used without a master key',
    put: set({ HELIOPORT_DATABASE_URL: 'postgres://u:p@127.0.0.1:1/h' }),
    check: 'settings',
    state: 'fault',
    says: [/HELIOPORT_MASTER_KEY: is required with PostgreSQL/, /openssl rand -base64 32/],
  },
  {
    fault: 'PostgreSQL does not answer',
    put: set({
      HELIOPORT_DATABASE_URL: 'postgres://u:p@127.0.0.1:1/h',
      HELIOPORT_MASTER_KEY: KEY,
    }),
    check: 'database',
    state: 'fault',
    says: [/127\.0\.0\.1:1|ECONNREFUSED|cannot be reached/, /HELIOPORT_DATABASE_URL/],
  },
  {
    fault: 'all listeners are open to everybody',
    put: set({ HELIOPORT_HOST: '0.0.0.0' }),
    check: 'exposure',
    state: 'warning',
    says: [/unencrypted at every address/, /bind to the one that your TLS proxy uses/],
  },
  {
    fault: 'metrics are open to everybody',
    put: set({ HELIOPORT_OPS_HOST: '0.0.0.0' }),
    check: 'exposure',
    state: 'warning',
    says: [/metrics can be read/, /bind to the one that your monitoring uses/],
  },
  {
    fault: 'events may be forwarded to anywhere inside',
    put: set({ HELIOPORT_EGRESS_ALLOW: '0.0.0.0/0' }),
    check: 'exposure',
    state: 'warning',
    says: [/any service inside your network/, /name the networks that are needed/],
  },
  {
    fault: 'the limits are off',
    put: set({ HELIOPORT_RATE_LIMIT: 'off' }),
    check: 'exposure',
    state: 'warning',
    says: [/HELIOPORT_RATE_LIMIT: off/, /remove the setting/],
  },
  {
    fault: 'others may change the data folder',
    put: (home) => chmodSync(data(home, ''), 0o777),
    check: 'exposure',
    state: 'warning',
    says: [/can be changed by others/, /chmod 700/],
  },
  {
    fault: 'others may read the master key',
    put: (home) => {
      chmodSync(data(home, ''), 0o755);
      chmodSync(data(home, 'master.key'), 0o644);
    },
    check: 'master key',
    state: 'warning',
    says: [/can be read by others/, /chmod 600/],
  },
  {
    fault: 'the master key is lost',
    put: (home) => rmSync(data(home, 'master.key')),
    check: 'master key',
    state: 'fault',
    says: [/master key .* is missing/, /put it back/],
  },
  {
    fault: 'the master key is another one',
    put: (home) => writeFileSync(data(home, 'master.key'), KEY),
    check: 'master key',
    state: 'fault',
    says: [/not the one that this database was created with/, /put .* back|restore/],
  },
  {
    fault: 'the database is lost',
    put: (home) => rmSync(data(home, 'helioport.db')),
    check: 'database',
    state: 'fault',
    says: [/database is missing or empty/, /helioport restore/],
  },
  {
    fault: 'a page of the database is damaged',
    put: (home) => {
      const file = openSync(data(home, 'helioport.db'), 'r+');
      for (let page = 10; page < 400; page++)
        writeSync(file, Buffer.alloc(64, 7), 0, 64, page * 4096);
    },
    check: 'database',
    state: 'fault',
    says: [/damaged/, /restore|backup/],
  },
  {
    fault: 'the database is from a newer version',
    put: sql("insert into schema_migration values (9999, '9999-future.sql', 'x', 0)"),
    check: 'database',
    state: 'fault',
    says: [/newer version/, /install|use/],
  },
  {
    fault: 'the clock is behind',
    put: sql(
      `insert into task (kind, key, "dueAt", "setAt") values ('probe', 'x', 0, ${Date.now() + 7_200_000})`,
    ),
    check: 'clock',
    state: 'warning',
    says: [/behind the latest time/, /set the clock|NTP/],
  },
  {
    fault: 'log-ins travel unencrypted',
    put: set({ HELIOPORT_USER_API_URL: 'http://api.solar.example' }),
    check: 'public addresses',
    state: 'warning',
    says: [/would travel unencrypted/, /put a proxy that terminates TLS/],
  },
  {
    fault: 'no proxy is trusted',
    put: set(proxied),
    check: 'public addresses',
    state: 'warning',
    says: [/HELIOPORT_TRUSTED_PROXIES is empty/, /set it to the address of the proxy/],
  },
  {
    fault: 'OAuth is behind a proxy that is not trusted',
    put: set(proxied),
    check: 'OAuth transport',
    state: 'warning',
    says: [/all requests are refused/, /set it to the address of the proxy/],
  },
  {
    fault: 'an application has an unencrypted callback',
    put: async (home) =>
      void (await home.helioport(
        'app',
        'create',
        '--name',
        'A',
        '--redirect-uri',
        'http://127.0.0.1:3000/back',
      )),
    check: 'OAuth callbacks',
    state: 'warning',
    says: [/http callback address: A/, /app change/],
  },
  {
    fault: 'an application need not prove that codes are its own',
    put: async (home) => {
      const create = ['app', 'create', '--name', 'A', '--redirect-uri', 'https://a.example/back'];
      await home.ok(...create);
      await home.ok('app', 'change', 'A', '--no-require-pkce');
    },
    check: 'OAuth callbacks',
    state: 'warning',
    says: [/do not have to use PKCE/, /--require-pkce/],
  },
  {
    fault: 'access tokens live too long',
    put: set({ HELIOPORT_OAUTH_ACCESS_TOKEN_SECONDS: '172800' }),
    check: 'OAuth lifetimes',
    state: 'warning',
    says: [/valid for 172800 s/, /HELIOPORT_OAUTH_ACCESS_TOKEN_SECONDS/],
  },
  {
    fault: 'a counter is wrong',
    put: async (home) => {
      await home.ok(
        'plant',
        'add',
        '--owner',
        'owner@example.org',
        '--name',
        'A',
        '--capacity-kwp',
        '1',
      );
      await sql('update plant set "deviceCount" = 7')(home);
    },
    check: 'counters',
    state: 'warning',
    says: [/counters .* are wrong/, /doctor --repair/],
  },
  {
    fault: 'the series are elsewhere',
    put: sql(`insert into "seriesHome" (id, engine) values (1, 'cassandra:other')`),
    check: 'series',
    state: 'fault',
    says: [/are in cassandra:other/, /set HELIOPORT_SERIES_URL/],
  },
  {
    fault: 'the mail server does not answer',
    put: set({
      HELIOPORT_SMTP_URL: 'smtp://u:p@127.0.0.1:1',
      HELIOPORT_MAIL_FROM: 'helioport@example.org',
    }),
    check: 'e-mail',
    state: 'fault',
    says: [/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/, /HELIOPORT_SMTP_URL/],
  },
  {
    fault: 'the external broker does not answer',
    put: set({ HELIOPORT_MQTT_URL: 'mqtt://helioport:secret@127.0.0.1:1' }),
    check: 'MQTT broker',
    state: 'fault',
    says: [/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/, /helioport mqtt access/],
  },
  {
    fault: 'the certificate is not there',
    put: set({ HELIOPORT_MQTT_TLS_CERT: 'none.pem', HELIOPORT_MQTT_TLS_KEY: 'none.pem' }),
    check: 'MQTT certificate',
    state: 'fault',
    says: [/none\.pem cannot be read/, /HELIOPORT_MQTT_TLS_CERT/],
  },
  {
    fault: 'the certificate has expired',
    put: certificate,
    later: 3,
    check: 'MQTT certificate',
    state: 'fault',
    says: [/has expired/, /renew it, then reload the server/],
  },
  {
    fault: 'the certificate expires soon',
    put: certificate,
    check: 'MQTT certificate',
    state: 'warning',
    says: [/valid until/, /renew it, then reload the server/],
  },
  {
    fault: 'no backup has been made for days',
    put: sql(
      `insert into installation (name, value) values ('lastBackup', cast('${Date.now() - 4 * 86_400_000}' as blob))`,
    ),
    check: 'backups',
    state: 'warning',
    says: [/9\d hours ago/, /see whether its timer runs/],
  },
];
