import { join, resolve } from 'node:path';
import {
  environmentName,
  settings,
  type ConfigSetting,
  type SettingName,
  type SettingValues,
} from './schema.ts';
import type { ReadingRetention } from '@helioport/contract/reading-retention';
import { secretIn, type Said } from './secret-files.ts';
import { readSettingsFile, type SettingsFile } from './settings-file.ts';
import { unknownInFile, unknownText } from './unknown-names.ts';

/** One of the parts that a process can run. */
export type ProcessRole = SettingValues['roles'][number];

/** All settings, and the values derived from them. */
export interface Config extends SettingValues {
  /** `postgres://...` or the path of the embedded database file. */
  readonly databaseAddress: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly userApiUrl: string;
  readonly oauthUrl: string;
  readonly portalUrl: string;
  readonly gatewayUrl: string;
  /** Whether there is a portal that people can be sent to: this process runs it, or the settings say where it is. */
  readonly portalServed: boolean;
  readonly passkeyDomain: string;
  /** Absolute paths. */
  readonly files: SettingFiles;
}

/** The files that settings were read from. */
export interface SettingFiles {
  /** Those with several settings. */
  readonly settings: readonly string[];
  /** Those that hold a secret, alone or beside other settings. */
  readonly secrets: readonly string[];
}

/** Invalid settings; the message has one line per fault. */
export class SettingsFault extends Error {
  override readonly name = 'ConfigFault';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of the `.env` file, and base of relative paths. */
  readonly folder: string;
  /** The file of `--config FILE`, which must exist. */
  readonly file?: string | undefined;
}

/** The text of each setting that was given, and where it was given. */
export type GivenSettings = Partial<
  Record<SettingName, { readonly text: string; readonly source: string }>
>;

const NAMES = Object.keys(settings) as SettingName[];

/** The settings that the sources give, and the faults in the files. */
export interface Sources {
  readonly given: GivenSettings;
  readonly files: SettingFiles;
  readonly faults: readonly string[];
}

/**
 * Reads the settings without checking their values; those that are secret may be in files of their own. The environment takes precedence over `--config FILE`, which takes precedence over
 * `.env`; blank text counts as not given.
 */
export function readSources({ environment, folder, file }: ConfigSources): Sources {
  const files = [settingsFileOf(folder, '.env', false)];
  if (file !== undefined) files.push(settingsFileOf(folder, file, true));
  const faults = files.flatMap(({ source, read }) => [
    ...read.faults,
    ...unknownInFile(read.values).map((one) => unknownText(one, source)),
  ]);

  const ranked = [
    { source: 'environment', path: undefined, values: environment },
    ...files.map(({ read, ...one }) => ({ ...one, values: read.values })).toReversed(),
  ];
  const given: GivenSettings = {};
  const secrets = new Set<string>();
  for (const name of NAMES) {
    for (const { source, path, values } of ranked) {
      const said = saidOf(name, values, folder);
      if (said.fault !== undefined) faults.push(`${said.fault} (in ${source})`);
      else if (said.text) {
        given[name] = { text: said.text, source: said.file ?? source };
        const holder = said.file === undefined ? path : resolve(folder, said.file);
        if (settings[name].secret && holder !== undefined) secrets.add(holder);
      } else continue;
      break;
    }
  }
  const used = files.filter(({ read }) => Object.keys(read.values).length > 0);
  return {
    given,
    files: { settings: used.map(({ path }) => path), secrets: [...secrets] },
    faults,
  };
}

function settingsFileOf(
  folder: string,
  source: string,
  required: boolean,
): { source: string; path: string; read: SettingsFile } {
  const path = resolve(folder, source);
  return { source, path, read: readSettingsFile(path, source, required) };
}

const saidOf = (name: SettingName, values: ConfigSources['environment'], folder: string): Said =>
  settings[name].secret
    ? secretIn(values, environmentName(name), folder)
    : { text: values[environmentName(name)]?.trim() ?? '' };

/**
 * Checks the given settings and derives the other values from them.
 * @throws ConfigFault with all faults at once, each with the setting's name
 */
export function configFrom({ given, files, faults: unread }: Sources, folder: string): Config {
  const faults = [...unread];
  const read = <T>(name: SettingName, { kind, fallback }: ConfigSetting<T>): T | null => {
    const text = given[name]?.text ?? fallback;
    if (text === null) return null;
    const value = kind.read(text);
    if (value === undefined)
      faults.push(
        `${environmentName(name)}: must ${kind.fault?.(text) ?? `be ${kind.expected}`}${given[name] && ` (in ${given[name].source})`}`,
      );
    return value ?? null;
  };
  const values = Object.fromEntries(
    NAMES.map((name) => [name, read(name, settings[name] as ConfigSetting<unknown>)]),
  ) as SettingValues;
  if (values.databaseUrl !== null && given.masterKey === undefined)
    faults.push('HELIOPORT_MASTER_KEY: is required with PostgreSQL');
  faults.push(
    ...sharedPorts(values),
    ...brokerFaults(values),
    ...mailFaults(values),
    ...mapFaults(values),
    ...weatherFaults(values),
    ...retentionFaults(values),
  );
  if (faults.length > 0) throw new SettingsFault(faults);

  const dataDir = resolve(folder, values.dataDir);
  const portalUrl = values.portalUrl ?? publicUrl(values.host, values.portalPort);
  return {
    ...values,
    files,
    dataDir,
    mqttTlsCert: values.mqttTlsCert === null ? null : resolve(folder, values.mqttTlsCert),
    mqttTlsKey: values.mqttTlsKey === null ? null : resolve(folder, values.mqttTlsKey),
    mqttTlsCa: values.mqttTlsCa === null ? null : resolve(folder, values.mqttTlsCa),
    seriesUrl: values.seriesUrl && {
      ...values.seriesUrl,
      caFile: values.seriesUrl.caFile && resolve(folder, values.seriesUrl.caFile),
    },
    databaseAddress: values.databaseUrl ?? join(dataDir, 'helioport.db'),
    userApiUrl: values.userApiUrl ?? publicUrl(values.host, values.userApiPort),
    oauthUrl: values.oauthUrl ?? publicUrl(values.host, values.oauthPort),
    portalUrl,
    gatewayUrl: values.gatewayUrl ?? publicUrl(values.host, values.gatewayPort),
    portalServed: values.portalUrl !== null || values.roles.includes('portal'),
    passkeyDomain: values.passkeyDomain ?? domainOf(portalUrl),
  };
}

function brokerFaults({ mqttUrl, mqttTlsCert, mqttTlsKey, mqttTlsCa }: SettingValues): string[] {
  const faults: string[] = [];
  if (mqttTlsCert !== null && mqttTlsKey === null)
    faults.push('HELIOPORT_MQTT_TLS_KEY: is required with HELIOPORT_MQTT_TLS_CERT');
  if (mqttTlsKey !== null && mqttTlsCert === null)
    faults.push('HELIOPORT_MQTT_TLS_CERT: is required with HELIOPORT_MQTT_TLS_KEY');
  if (mqttTlsCert !== null && mqttUrl?.startsWith('mqtt:'))
    faults.push(
      'HELIOPORT_MQTT_TLS_CERT: is of no use unless HELIOPORT_MQTT_URL begins with mqtts:',
    );
  if (mqttTlsCa !== null && !mqttUrl?.startsWith('mqtts:'))
    faults.push('HELIOPORT_MQTT_TLS_CA: is of no use unless HELIOPORT_MQTT_URL begins with mqtts:');
  return faults;
}

const mailFaults = ({ smtpUrl, mailFrom, signUp }: SettingValues): string[] => [
  ...(smtpUrl !== null && mailFrom === null
    ? ['HELIOPORT_MAIL_FROM: is required with HELIOPORT_SMTP_URL']
    : []),
  ...(signUp && smtpUrl === null
    ? ['HELIOPORT_SMTP_URL: is required with HELIOPORT_SIGN_UP=on']
    : []),
];

const mapFaults = ({ mapTiles, mapAttribution }: SettingValues): string[] =>
  mapTiles !== null && !mapAttribution?.trim()
    ? ['HELIOPORT_MAP_ATTRIBUTION: is required with HELIOPORT_MAP_TILES']
    : [];

const weatherFaults = ({ weatherUrl, weatherLicence }: SettingValues): string[] =>
  weatherUrl !== null && !weatherLicence?.trim()
    ? ['HELIOPORT_WEATHER_LICENCE: is required with HELIOPORT_WEATHER_URL']
    : [];

function sharedPorts(values: SettingValues): string[] {
  const owners = new Map<number, SettingName>();
  const faults: string[] = [];
  for (const name of NAMES.filter((candidate) => candidate.endsWith('Port'))) {
    const port = values[name] as number | null;
    if (port === null || port === 0) continue;
    const owner = owners.get(port);
    if (owner)
      faults.push(`${environmentName(name)}: is the same as ${environmentName(owner)} (${port})`);
    owners.set(port, name);
  }
  return faults;
}

/** Browsers know no passkeys of addresses without a name, but they know `localhost`. */
function domainOf(portalUrl: string): string {
  const host = new URL(portalUrl).hostname.replace(/^\[|\]$/g, '');
  return host === '::1' || host.startsWith('127.') ? 'localhost' : host;
}

// 0.0.0.0 is not an address to connect to; on the machine itself, the loopback address reaches the same listener.
function publicUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** How long readings are kept, by the settings. */
export const readingsKeptOf = ({
  readingRetention: expiry,
  readingThinning: thinning,
}: Pick<SettingValues, 'readingRetention' | 'readingThinning'>): ReadingRetention => ({
  expiry,
  thinning,
});

/** Only the database has transactions in which readings can be thinned. */
const retentionFaults = ({
  seriesUrl,
  readingRetention,
  readingThinning,
}: SettingValues): string[] =>
  seriesUrl === null || (readingRetention === null && readingThinning === null)
    ? []
    : [
        'HELIOPORT_READING_RETENTION and HELIOPORT_READING_THINNING: cannot be used with HELIOPORT_SERIES_URL',
      ];
