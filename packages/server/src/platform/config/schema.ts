import {
  bytes,
  choiceSetting,
  choices,
  cidrs,
  cluster,
  countSetting,
  days,
  domain,
  flagSetting,
  host,
  mailbox,
  pause,
  port,
  processes,
  proxies,
  publicUrl,
  rate,
  seconds,
  textSetting,
  thinningSetting,
  tileTemplate,
  timeZoneSetting,
  type SettingKind,
  url,
  weatherTemplate,
} from './kinds.ts';
import { expiryForm } from '@helioport/contract/reading-retention';

/** One setting. Its environment variable follows from its name: `userApiPort` is HELIOPORT_USER_API_PORT. */
export interface ConfigSetting<T> {
  readonly kind: SettingKind<T>;
  /** The default, as it would be written in the environment; null = none, and `derived` says where the value comes from. */
  readonly fallback: string | null;
  /** Shown in docs/configuration.md instead of a default. */
  readonly derived?: string;
  /** Whether its value must never be shown. */
  readonly secret: boolean;
  readonly description: string;
}

type Options = Partial<Pick<ConfigSetting<unknown>, 'derived' | 'secret'>>;

const setting = <T, const F extends string | null>(
  kind: SettingKind<T>,
  fallback: F,
  description: string,
  options: Options = {},
) => ({
  kind,
  fallback,
  description,
  secret: false,
  ...options,
});

/** Every setting of Helioport. docs/configuration.md is generated from it. */
export const settings = {
  dataDir: setting(
    textSetting,
    './data',
    'Folder of the embedded database, the generated master key and archives.',
  ),
  databaseUrl: setting(
    url('postgres:', 'postgresql:'),
    null,
    'Address of a PostgreSQL database, as `postgres://user:password@host:5432/name`.',
    {
      derived: 'the embedded database `helioport.db` in the data folder',
      secret: true,
    },
  ),
  seriesUrl: setting(
    cluster,
    null,
    'Address of a Cassandra cluster (5.0 or newer) that stores what devices measure, as `cassandra://user:password@host1,host2:9042/keyspace?dc=NAME`; everything else stays in the database. Further parameters: `replication=3` (copies of each row, for a keyspace that does not exist yet; several data centers as `dc1:3,dc2:3`), `consistency=local_quorum` or `quorum`, `tls=on` or `tls=chain` (the nodes’ certificates may name other hosts), `ca=FILE` (certificates to trust). See docs/series-engines.md.',
    { derived: 'the database', secret: true },
  ),
  passkeyDomain: setting(
    domain,
    null,
    'Domain for which passkeys are created: the host of the portal, or a parent domain that it shares with the authorization pages, such as `example.org` for `portal.example.org` and `oauth.example.org`. Passkeys created for another domain are not accepted, so that a change ends the use of those that exist.',
    { derived: 'host of the portal’s address; `localhost` if that is this machine' },
  ),
  masterKey: setting(
    bytes(32),
    null,
    'Key that encrypts KeySecrets, authenticator apps, and the secrets of destinations and webhooks at rest. Keep a copy: if it is lost, `helioport master-key forget` disables all of these and goes on with a new key. `helioport master-key rotate` replaces it.',
    {
      derived: 'generated into `master.key` in the data folder; required with PostgreSQL',
      secret: true,
    },
  ),
  roles: setting(
    choices('user-api', 'oauth', 'portal', 'gateway', 'worker'),
    'user-api,oauth,portal,gateway,worker',
    'Which parts this process runs. `gateway` is where collectors report, over HTTP and MQTT. `portal` is where people look after their plants in a browser.',
  ),
  processes: setting(
    processes,
    '1',
    'Number of processes that serve the ports. They divide incoming connections and background work among them and count limits together; a process that ends is started again. `auto`: one per core. With PostgreSQL, each process opens up to 11 connections to it.',
  ),
  host: setting(
    host,
    '127.0.0.1',
    'Address that the listeners bind to, except health and metrics.',
  ),
  userApiPort: setting(port, '8080', 'Port of the user-level interface.'),
  oauthPort: setting(port, '8081', 'Port of the OAuth interface and the authorization pages.'),
  portalPort: setting(port, '8082', 'Port of the portal.'),
  gatewayUrl: setting(
    publicUrl,
    null,
    'Public address of the gateway behind a proxy. It is shown to those who set up collectors.',
    { derived: 'from host and port' },
  ),
  gatewayPort: setting(port, '8083', 'Port where collectors deliver readings over HTTP.'),
  mqttPort: setting(
    port,
    '1883',
    'Port of the embedded MQTT broker, where collectors report and fetch commands.',
  ),
  mqttStrangers: setting(
    countSetting(10, 5_000),
    '1000',
    'Maximum number of connections from one network (an IPv4 address, or an IPv6 /64) to the embedded MQTT broker that have not presented a token yet; each has ten seconds to do so. All networks together have 5000. Each process counts its own. Behind a proxy that hides the addresses of collectors, set it to 5000.',
  ),
  mqttTlsCert: setting(
    textSetting,
    null,
    'File with the certificate of the embedded MQTT broker and its chain (PEM) or, with `HELIOPORT_MQTT_URL`, the one with which Helioport identifies itself to the external broker. It is read again on `systemctl reload` (SIGHUP).',
    { derived: 'without TLS' },
  ),
  mqttTlsKey: setting(textSetting, null, 'File with the private key of that certificate (PEM).', {
    derived: 'without TLS',
  }),
  mqttTlsCa: setting(
    textSetting,
    null,
    'File with the certificates of authorities (PEM) that the external MQTT broker’s certificate must be signed by. It is read again on `systemctl reload` (SIGHUP).',
    { derived: 'those that Node trusts' },
  ),
  opsHost: setting(
    host,
    '127.0.0.1',
    'Address that health and metrics bind to. All metrics can be read there.',
  ),
  opsPort: setting(port, '9464', 'Port of health and metrics.'),
  userApiUrl: setting(
    publicUrl,
    null,
    'Public address of the user-level interface behind a proxy.',
    { derived: 'from host and port' },
  ),
  oauthUrl: setting(publicUrl, null, 'Public address of the OAuth interface behind a proxy.', {
    derived: 'from host and port',
  }),
  mapTiles: setting(
    tileTemplate,
    null,
    'Template for the address of map tiles for the portal (Web Mercator, by zoom, column and row), such as `https://tiles.example.org/{z}/{x}/{y}.png`. Browsers load the visible tiles directly from that server, without telling it the page.',
    {
      derived:
        'no tiles: the map has the outlines of countries, which come with the portal, and nobody outside is asked',
    },
  ),
  mapAttribution: setting(
    textSetting,
    null,
    'Whom the map names as the source of its tiles, such as `© OpenStreetMap contributors`. Required with HELIOPORT_MAP_TILES.',
  ),
  weatherUrl: setting(
    weatherTemplate,
    null,
    'Template for the address of a weather service that answers as Open-Meteo does, such as `https://api.open-meteo.com/v1/forecast?latitude={latitude}&longitude={longitude}&start_date={from}&end_date={to}&minutely_15=shortwave_radiation,direct_normal_irradiance,diffuse_radiation,temperature_2m&timezone=GMT`. It is asked where no weather station measures the irradiance: about places rounded to 0.1 degrees, at most five a minute. See [performance](performance.md#from-a-weather-service).',
    { derived: 'none: nobody outside is asked' },
  ),
  weatherLicence: setting(
    textSetting,
    null,
    'What the portal and reports say where figures rest on the weather service, such as `Weather data by Open-Meteo.com, CC BY 4.0`. Required with HELIOPORT_WEATHER_URL.',
  ),
  portalUrl: setting(
    publicUrl,
    null,
    'Public address of the portal behind a proxy: a host of its own, since the portal works only at the root of one.',
    {
      derived: 'from host and port',
    },
  ),
  signatureProfile: setting(
    choiceSetting('compatible', 'strict'),
    'compatible',
    '`strict`: Content-Type and Content-MD5 exactly as specified; `compatible`: also as existing clients send them.',
  ),
  replayGuard: setting(
    choiceSetting('off', 'writes', 'all'),
    'writes',
    'Which signed requests are refused when sent a second time.',
  ),
  rateLimit: setting(
    rate('s'),
    '10/s',
    'Maximum rate of requests to one operation: per key for signed requests, per authorization over OAuth; at the portal, five times as many per account; at the token endpoint and those beside it, fifty times as many per application. Of those who are not known yet, each network may send twenty times as many to one path. Each instance counts separately.',
  ),
  collectorRateLimit: setting(
    rate('s'),
    '10/s',
    'Maximum rate of reports per collector; over MQTT, also of its connections and packets without a message. At most four reports of a collector may be in progress at once in each process. Each instance counts separately.',
  ),
  authFailureLimit: setting(
    rate('min'),
    '60/min',
    'Number of failed authentications that are answered with their specific error; further ones are answered with 429. Refused signatures and wrong digests are counted per address and key; for all keys of an address together, the limit is ten times as high. Wrong client credentials are counted per address, and so are tokens that no collector has, over HTTP and MQTT together. Correct credentials are never refused because of this limit. Each instance counts separately.',
  ),
  legacyLogin: setting(
    flagSetting,
    'on',
    'Keep a second verifier (argon2id over the MD5 of the password), because existing control clients send this MD5 to log in.',
  ),
  oauthCodeSeconds: setting(
    seconds(1, 1800),
    '1800',
    'Validity of an authorization code: the 30 minutes of the specification, or less.',
  ),
  oauthAccessTokenSeconds: setting(
    seconds(60, 31_536_000),
    '86400',
    'Validity of an access token.',
  ),
  oauthRefreshTokenSeconds: setting(
    seconds(60, 315_360_000),
    '2592000',
    'Validity of a refresh token; it restarts with each refresh.',
  ),
  oauthBenignReuseSeconds: setting(
    seconds(0, 60),
    '2',
    'Grace period for a code or refresh token that is presented a second time: within it, the request is merely refused; later, the tokens that were issued for it are revoked as well. 0: they are always revoked.',
  ),
  oauthIssuerParameter: setting(
    flagSetting,
    'on',
    'Send `iss` with every authorization response (RFC 9207).',
  ),
  auditRetention: setting(days(1, 36_500), '400d', 'How long the audit trail is kept.'),
  readingRetention: setting(
    { type: 'days from `32d` to `36500d`', ...expiryForm },
    null,
    'After how many days readings are deleted, counted in days of their plants. What was calculated from them stays: energies of days, months and years, amounts, peaks. Later readings of such a time are refused. A plant may have less, see docs/running.md. Not with HELIOPORT_SERIES_URL.',
    { derived: 'never' },
  ),
  readingThinning: setting(
    thinningSetting,
    null,
    'After how many days readings are thinned, and to one in how many minutes. Kept are also the highest and lowest value of each quantity on each day, and the readings around a fall of a counter; energies stay exactly as they are. Later readings of such a time are refused. Not with HELIOPORT_SERIES_URL.',
    { derived: 'never' },
  ),
  controlRetention: setting(
    days(400, 36_500),
    null,
    'After how many days commands and strategies are deleted that have ended. Of each setting of a device, the last one that was written stays; strategies stay as long as one of their commands.',
    { derived: 'never' },
  ),
  alarmRetention: setting(
    days(400, 36_500),
    null,
    'After how many days alarms are deleted that have ended.',
    { derived: 'never' },
  ),
  closedRetention: setting(
    days(1, 365),
    '14d',
    'How long a closed account can be reopened by the operator (`helioport user reopen`). After this time, its personal data is removed.',
  ),
  eventRetention: setting(
    days(1, 365),
    '7d',
    'How long events that are forwarded to applications can be sent again.',
  ),
  eventLimit: setting(
    countSetting(1_000, 1_000_000_000),
    '5000000',
    'Maximum number of entries in the event log. Beyond it, the oldest are deleted, even before HELIOPORT_EVENT_RETENTION has passed. An entry holds the events of one kind in one plant that one report brought; each event takes some 300 bytes.',
  ),
  egressAllow: setting(
    cidrs,
    '',
    'Networks that events may be forwarded to in addition to the public internet, as CIDRs such as 192.168.7.0/24. Connections to them need not be encrypted. With any, names with dots that the DNS does not have are looked up as the system does, in its hosts file.',
  ),
  defaultTimeZone: setting(timeZoneSetting, 'UTC', 'Time zone of accounts that do not set one.'),
  accountPlants: setting(
    countSetting(1, 10_000_000),
    '20000',
    'Maximum number of plants of an account, archived ones not counted; with them, three times as many. What exists stays, even if it is more.',
  ),
  accountKeys: setting(
    countSetting(1, 10_000),
    '50',
    'Maximum number of key pairs of an account, disabled and expired ones not counted. What exists stays, even if it is more.',
  ),
  deviceCommands: setting(
    countSetting(10, 10_000),
    '100',
    'Maximum number of commands that wait for a device, or whose result is awaited; further ones are refused.',
  ),
  deviceDayReadings: setting(
    countSetting(2_880, 10_000_000),
    '100000',
    'Maximum number of readings of a device that are stored of one local day of its plant: more than one a second. Further ones are refused, one by one. What exists stays, and can be replaced.',
  ),
  smtpUrl: setting(
    url('smtp:', 'smtps:'),
    null,
    'Address of an SMTP server that sends e-mails (notifications, and links to replace forgotten passwords), with user and password: `smtps://user:password@mail.example.org`. With `smtp:`, the connection is upgraded to TLS where the server offers that; a password is sent only over TLS, unless that server is on this machine.',
    { derived: 'no e-mails are sent', secret: true },
  ),
  mailFrom: setting(mailbox, null, 'Sender of e-mails, as `Helioport <no-reply@example.org>`.', {
    derived: 'none; required with HELIOPORT_SMTP_URL',
  }),
  signUp: setting(
    flagSetting,
    'off',
    'Let anyone create an account at the portal, confirmed by a link in an e-mail. Requires HELIOPORT_SMTP_URL. Otherwise, the operator creates accounts: `helioport user add`.',
  ),
  trustedProxies: setting(
    proxies,
    '',
    'Addresses of proxies whose forwarded headers are trusted, as CIDRs. Networks that hold the public internet, such as `0.0.0.0/0`, are refused: anybody could claim any address.',
  ),
  mqttUrl: setting(
    url('mqtt:', 'mqtts:'),
    null,
    'Address of an external MQTT broker that collectors connect to instead of the embedded one, with user and password: `mqtt://helioport:password@host`. `helioport mqtt access` writes its password file and access list.',
    {
      derived: 'the embedded broker',
      secret: true,
    },
  ),
  tracesUrl: setting(
    url('http:', 'https:'),
    null,
    'Where requests are traced: the address of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`. A `traceparent` that comes with a request (W3C Trace Context) is continued.',
    { derived: 'nothing is traced' },
  ),
  tracesPercent: setting(
    countSetting(1, 100),
    '100',
    'Share of the requests that are traced, in percent, unless the `traceparent` of a trusted proxy (HELIOPORT_TRUSTED_PROXIES) has decided it; from anybody else, only the trace is taken.',
  ),
  stopGrace: setting(
    pause(600),
    '0s',
    'How long a stopping server keeps answering while `/readyz` reports it as not ready, so that a load balancer sends no requests to closed ports.',
  ),
  logLevel: setting(
    choiceSetting('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Which log lines are written (JSON, one object per line, to standard error).',
  ),
} as const satisfies Record<string, ConfigSetting<unknown>>;

/** Environment variables of client commands (`call`, `sign`, `verify`, `simulate`); the server does not use them. */
export const clientNames: Readonly<Record<string, string>> = {
  HELIOPORT_KEY_ID: 'KeyID with which client commands sign.',
  HELIOPORT_KEY_SECRET: 'KeySecret that belongs to it. Secret.',
  HELIOPORT_COLLECTOR_TOKEN: 'Token with which `simulate` reports. Secret.',
};

export type SettingName = keyof typeof settings;

type ValueOf<S> = S extends { kind: SettingKind<infer T>; fallback: infer F }
  ? F extends null
    ? T | null
    : T
  : never;

/** The values of the settings; null for a setting that was not given and has no default. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> };

/** The environment variable of a setting, such as HELIOPORT_USER_API_PORT for `userApiPort`. */
export const environmentName = (name: string): string =>
  `HELIOPORT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
