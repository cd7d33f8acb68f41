import { createInstallation, type Installation } from '../support/command.ts';

interface Importing {
  /** The time of every command. */
  readonly now: string;
  readonly timeZone: string;
  /** Of the modules of all; 10 where none is given. */
  readonly capacityKwp?: number;
  /** Serial numbers of the inverters that recordings are of. */
  readonly sns: readonly string[];
}

/** An installation with one plant, whose inverters wait for their recordings. */
export async function createImportInstallation({
  now,
  timeZone,
  capacityKwp = 10,
  sns,
}: Importing): Promise<Installation> {
  const installation = createInstallation({}, { now: () => Date.parse(now) });
  const add = (what: string, options: Readonly<Record<string, string>>): Promise<{ id: string }> =>
    installation
      .helioport(
        what,
        'add',
        ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
        '--json',
      )
      .then((added) => added.json());
  const owner = 'owner@example.com';
  await add('user', { email: owner, role: 'owner', password: 'correct horse battery' });
  const { id: plant } = await add('plant', {
    owner,
    name: 'Plant',
    'capacity-kwp': String(capacityKwp),
    'time-zone': timeZone,
  });
  for (const sn of sns) await add('device', { plant, kind: 'inverter', sn });
  return installation;
}
