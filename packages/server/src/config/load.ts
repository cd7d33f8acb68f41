import { join, resolve } from 'node:path';
import { environmentName, settings, type Setting, type SettingName, type SettingValues } from './schema.ts';
import { readSettingsFile, type SettingsFile } from './settings-file.ts';
import { unknownInFile, unknownText } from './unknown-names.ts';

/** A part of the product that a process runs. */
export type Role = SettingValues['roles'][number];

/** Everything that was set, and what follows from it. */
export interface Config extends SettingValues {
  /** `postgres://...` or the path of the embedded database file. */
  readonly databaseAddress: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly userApiUrl: string;
  readonly oauthUrl: string;
  readonly portalUrl: string;
}

/** Settings that cannot be; the message has one line a fault. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder that `.env` is looked for in and that relative paths start from. */
  readonly folder: string;
  /** `--config FILE`: must exist. */
  readonly file?: string | undefined;
}

/** The text of each setting that was given, and the source that gave it. */
export type Given = Partial<Record<SettingName, { readonly text: string; readonly source: string }>>;

const NAMES = Object.keys(settings) as SettingName[];

/** What the sources say, and what of it cannot be read. */
export interface Sources {
  readonly given: Given;
  readonly faults: readonly string[];
}

/**
 * What the sources say, before it is checked. The environment wins over `--config FILE`, which wins over `.env`;
 * blank text counts as not given.
 */
export function readSources({ environment, folder, file }: ConfigSources): Sources {
  const files: { source: string; read: SettingsFile }[] = [{ source: '.env', read: readSettingsFile(join(folder, '.env'), '.env', false) }];
  if (file !== undefined) files.push({ source: file, read: readSettingsFile(resolve(folder, file), file, true) });
  const faults = files.flatMap(({ source, read }) => [...read.faults, ...unknownInFile(read.values).map((one) => unknownText(one, source))]);

  const given: Given = {};
  for (const { source, values } of [...files.map((one) => ({ source: one.source, values: one.read.values })), { source: 'environment', values: environment }]) {
    for (const name of NAMES) {
      const text = values[environmentName(name)]?.trim();
      if (text) given[name] = { text, source };
    }
  }
  return { given, faults };
}

/**
 * Checks what was given and adds what follows from it.
 * @throws ConfigFault with all faults at once, each with the setting's name
 */
export function configFrom({ given, faults: unread }: Sources, folder: string): Config {
  const faults = [...unread];
  const read = <T>(name: SettingName, { kind, fallback }: Setting<T>): T | null => {
    const text = given[name]?.text ?? fallback;
    if (text === null) return null;
    const value = kind.read(text);
    if (value === undefined) faults.push(`${environmentName(name)}: must be ${kind.expected}${given[name] && ` (in ${given[name].source})`}`);
    return value ?? null;
  };
  const values = Object.fromEntries(NAMES.map((name) => [name, read(name, settings[name] as Setting<unknown>)])) as SettingValues;
  if (values.databaseUrl !== null && given.masterKey === undefined) faults.push('HELIOPORT_MASTER_KEY: is required with PostgreSQL');
  faults.push(...sharedPorts(values));
  if (faults.length > 0) throw new ConfigFault(faults);

  const dataDir = resolve(folder, values.dataDir);
  return {
    ...values,
    dataDir,
    databaseAddress: values.databaseUrl ?? join(dataDir, 'helioport.db'),
    userApiUrl: values.userApiUrl ?? publicUrl(values.host, values.userApiPort),
    oauthUrl: values.oauthUrl ?? publicUrl(values.host, values.oauthPort),
    portalUrl: values.portalUrl ?? publicUrl(values.host, values.portalPort),
  };
}

function sharedPorts(values: SettingValues): string[] {
  const owners = new Map<number, SettingName>();
  const faults: string[] = [];
  for (const name of NAMES.filter((candidate) => candidate.endsWith('Port'))) {
    const port = values[name] as number | null;
    if (port === null || port === 0) continue;
    const owner = owners.get(port);
    if (owner) faults.push(`${environmentName(name)}: is the same as ${environmentName(owner)} (${port})`);
    owners.set(port, name);
  }
  return faults;
}

// A person cannot call 0.0.0.0; on the machine itself the loopback address answers for it.
function publicUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
