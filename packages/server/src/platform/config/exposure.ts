import { statSync } from 'node:fs';
import { isWide } from './kinds.ts';
import type { Config } from './load.ts';
import { masterKeyFile } from './master-key.ts';
import { environmentName, type SettingName } from './schema.ts';

/** Settings and files that leave an installation more open than it should be: a sentence for each, with its remedy. */
export const exposures = (config: Config): string[] => [
  ...openEgress(config),
  ...limitsOff(config),
  ...openListeners(config),
  ...openFiles(config),
];

const openEgress = ({ egressAllow }: Config): string[] => {
  const wide = egressAllow.filter(isWide);
  return wide.length === 0
    ? []
    : [
        `${environmentName('egressAllow')} holds ${wide.join(', ')}: events may be forwarded, unencrypted too, to any service inside your network; name the networks that are needed`,
      ];
};

const LIMITS = [
  'rateLimit',
  'collectorRateLimit',
  'authFailureLimit',
] as const satisfies SettingName[];

const limitsOff = (config: Config): string[] => {
  const off = LIMITS.filter((name) => config[name] === null).map(environmentName);
  return off.length === 0
    ? []
    : [
        `${off.join(', ')}: off, so that one client can use up this server, or guess credentials as fast as it can; remove the setting for the usual limit`,
      ];
};

const isEverywhere = (host: string): boolean => /^(0\.0\.0\.0|::|\[::\]|0)$/.test(host);

function openListeners({ host, opsHost, roles, mqttUrl, mqttTlsCert }: Config): string[] {
  const open: string[] = [];
  if (isEverywhere(host)) {
    const overHttp = roles.filter((role) => role !== 'worker');
    if (overHttp.length > 0)
      open.push(
        `${environmentName('host')}=${host}: ${overHttp.join(', ')} can be reached unencrypted at every address of this machine; bind to the one that your TLS proxy uses, such as 127.0.0.1, or let a firewall admit the proxy alone`,
      );
    if (roles.includes('gateway') && mqttUrl === null && mqttTlsCert === null)
      open.push(
        `the MQTT broker takes collectors’ tokens unencrypted at every address of this machine: set ${environmentName('mqttTlsCert')} and ${environmentName('mqttTlsKey')}`,
      );
  }
  if (isEverywhere(opsHost))
    open.push(
      `${environmentName('opsHost')}=${opsHost}: metrics can be read at every address of this machine; bind to the one that your monitoring uses`,
    );
  return open;
}

function openFiles(config: Config): string[] {
  const { dataDir, databaseUrl, databaseAddress, mqttTlsKey, files } = config;
  const secrets = [mqttTlsKey, masterKeyFile(config), ...files.secrets].filter(
    (file) => file !== null && !isHandedOver(file),
  ) as string[];
  const folder = databaseUrl === null ? modeOf(dataDir) : undefined;
  const stored =
    databaseUrl === null ? ['', '-wal', '-shm'].map((end) => `${databaseAddress}${end}`) : [];
  const isClosed = folder !== undefined && (folder & 0o077) === 0;
  const readable = [...new Set([...stored, ...secrets])].filter(
    (file) => isOpenTo(file, 0o077) && !(isClosed && file.startsWith(`${dataDir}/`)),
  );
  const changeable = files.settings.filter((file) => isOpenTo(file, 0o022));
  return [
    ...(folder !== undefined && folder & 0o022
      ? [`the data folder ${dataDir} can be changed by others: chmod 700 ${dataDir}`]
      : []),
    ...(readable.length > 0
      ? [`${readable.join(', ')}: can be read by others; chmod 600 ${readable.join(' ')}`]
      : []),
    ...(changeable.length > 0
      ? [`${changeable.join(', ')}: can be changed by others; chmod go-w ${changeable.join(' ')}`]
      : []),
  ];
}

/** Whether Docker or systemd has handed a secret over, in a file that no others on the machine reach. */
export const isHandedOver = (file: string): boolean =>
  /^\/(?:var\/)?run\/(?:secrets|credentials)\//.test(file);

function isOpenTo(file: string, bits: number): boolean {
  if (process.platform === 'win32') return false;
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && othersMay(found, bits, process.getuid!());
}

/** Whether others may do something with a file. Its group may if it belongs to somebody else, such as root: the group is this process's then. */
export const othersMay = (
  { mode, uid }: { readonly mode: number; readonly uid: number },
  bits: number,
  ownUid: number,
): boolean => (mode & bits & (uid === ownUid ? 0o077 : 0o007)) !== 0;

/** The permissions of a folder; undefined if there is none, or if the system has no such permissions. */
function modeOf(file: string): number | undefined {
  if (process.platform === 'win32') return undefined;
  return statSync(file, { throwIfNoEntry: false })?.mode;
}
