import type { Addresses } from '../../../app.ts';
import type { DemoCredentials } from './demo-file.ts';

const LABELS: readonly [name: keyof Addresses, label: string, path: string][] = [
  ['user-api', 'user-level interface', ''],
  ['oauth', 'OAuth interface', ''],
  ['portal', 'portal', ''],
  ['gateway', 'collector readings', '/v1/readings'],
  ['mqtt', 'the same over MQTT', ''],
  ['ops', 'health and metrics', '/metrics'],
];

export interface Screen {
  readonly addresses: Addresses;
  /** Where events of the demo's application can be seen. */
  readonly eventsUrl?: string | undefined;
  readonly dataDir: string;
  /** Undefined if the database has users other than the demo's. */
  readonly demo: Pick<DemoCredentials, 'people' | 'keyId' | 'keySecret'> | undefined;
  /** The data folder and address that a command started in the same folder uses by default. */
  readonly usual: { readonly dataDir: string; readonly userApiUrl: string };
}

/** The text that `serve --demo` shows: addresses, who can log in, a key pair, and a call to paste. */
export function startScreen({ addresses, eventsUrl, demo, dataDir, usual }: Screen): string {
  const lines = ['Helioport is running; Ctrl-C stops it.', ''];
  for (const [name, label, path] of LABELS)
    if (addresses[name]) lines.push(`  ${label.padEnd(26)}${addresses[name]}${path}`);
  if (eventsUrl !== undefined) lines.push(`  ${'what an application gets'.padEnd(26)}${eventsUrl}`);
  if (!demo)
    return [
      ...lines,
      '',
      'The database already has users, so no demo was created. Create a key pair with:',
      '  npx --no-install helioport key create --user EMAIL',
    ].join('\n');

  const widest = Math.max(...demo.people.map(({ email }) => email.length));
  lines.push(
    '',
    'Who can log in',
    ...demo.people.map(
      ({ email, password, role }) => `  ${role.padEnd(26)}${email.padEnd(widest + 2)}${password}`,
    ),
  );
  lines.push(
    '',
    'Key pair',
    `  ${'KeyID'.padEnd(26)}${demo.keyId}`,
    `  ${'KeySecret'.padEnd(26)}${demo.keySecret}`,
  );
  const url = addresses['user-api'];
  if (url === undefined) return lines.join('\n');
  const extra = [
    ...(url === usual.userApiUrl ? [] : [`--url ${url}`]),
    ...(dataDir === usual.dataDir ? [] : [`--key-id ${demo.keyId} --key-secret ${demo.keySecret}`]),
  ];
  lines.push(
    '',
    'A signed call, from another terminal in this folder',
    `  ${['npx --no-install helioport call userStationList', ...extra].join(' ')}`,
  );
  return [
    ...lines,
    '',
    `Every operation, with requests to copy: ${url}/reference`,
    'The same call with curl and openssl: docs/signing.md',
  ].join('\n');
}
