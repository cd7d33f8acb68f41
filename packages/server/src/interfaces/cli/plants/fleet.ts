import type { OutputOfOperation, WireRequest } from '@helioport/contract';
import { mailboxKey } from '../../../platform/kernel/addresses/mailbox.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { OperatorDoor } from '../../operations/operator-door.ts';
import type { CliContext, RegisterCommand } from '../context.ts';
import { tableText } from '../table.ts';
import { lineFault } from './csv-records.ts';
import { FLEET_COLUMNS, readFleet, type FleetFile, type FleetPart } from './fleet-rows.ts';

interface Added {
  readonly owners: { line: number; id: string; email: string; password?: string }[];
  readonly plants: { line: number; id: string; owner: string; name: string }[];
  readonly collectors: {
    line: number;
    id: string;
    sn: string;
    plantId: string;
    tokenId: string;
    token: string;
  }[];
  readonly devices: { line: number; id: string; sn: string; plantId: string }[];
}

interface Options {
  readonly dryRun?: true;
  readonly passwords?: true;
}

/** Thrown to take back what a dry run has added. */
class TakeBack extends Error {}

/** `helioport fleet import`: adds owners, plants, collectors and devices from one file, all of them or none. */
export const registerFleet: RegisterCommand = (program, context) => {
  const fleet = program.command('fleet').description('set up many plants at once');

  fleet
    .command('import <file>')
    .description(
      `add the owners, plants, collectors and devices in a CSV file, either all or none; the tokens of the collectors are shown only once. Each row describes one device, collector or plant; the first row names the columns: ${FLEET_COLUMNS.join(', ')}`,
    )
    .option('--dry-run', 'check the file against the database, and add nothing')
    .option(
      '--passwords',
      'generate passwords for new owners, which takes about 0.1 s each; by default, they have none and choose one by the link that the portal sends',
    )
    .action(async (file: string, options: Options) => {
      const described = await readFleet(context.path(file));
      const operator = await context.operator();
      const added = await addAll(operator, described, options);
      if (options.passwords && !options.dryRun) await givePasswords(operator, added);
      report(context, added, options);
    });
};

async function addAll(
  operator: OperatorDoor,
  described: FleetFile,
  { dryRun }: Options,
): Promise<Added> {
  const added: Added = { owners: [], plants: [], collectors: [], devices: [] };
  const work = operator.together(async (door) => {
    for (const list of Object.values(added)) list.length = 0;
    await addFleet(door, described, added);
    if (dryRun) throw new TakeBack();
  });
  await work.catch((error: unknown) => {
    if (!(error instanceof TakeBack)) throw error;
  });
  return added;
}

async function addFleet(door: OperatorDoor, described: FleetFile, added: Added): Promise<void> {
  const known = new Set((await door.call('user/list', {})).map(({ email }) => mailboxKey(email)));
  for (const one of described.owners) {
    if (known.has(mailboxKey(one.request['email']!))) continue;
    const request = { ...one.request, withoutPassword: '1' };
    const { id, email } = await inLine(one, () =>
      door.call('user/add', request as unknown as WireRequest<'user/add'>),
    );
    added.owners.push({ line: one.line, id, email });
  }
  const plantIds = await addPlants(door, described.plants, added);
  for (const one of described.collectors) {
    const plantId = plantIds.get(one.plant)!;
    const made = await inLine(one, () =>
      door.call('collector/add', { ...(one.request as { sn: string }), plantId }),
    );
    added.collectors.push({ line: one.line, plantId, ...made });
  }
  for (const one of described.devices) {
    const plantId = plantIds.get(one.plant)!;
    const request = { ...one.request, plantId } as unknown as WireRequest<'device/add'>;
    const { id, sn } = await inLine(one, () => door.call('device/add', request));
    added.devices.push({ line: one.line, id, sn, plantId });
  }
}

/** Adds plants; returns their ids by their keys in the file. A plant that an owner has already is refused: the file may have been imported before. */
async function addPlants(
  door: OperatorDoor,
  plants: FleetFile['plants'],
  added: Added,
): Promise<ReadonlyMap<string, string>> {
  const existing: OutputOfOperation<'plant/list'> = await door.call('plant/list', {});
  const known = new Set(existing.map(({ owner, name }) => nameOf(owner, name)));
  const ids = new Map<string, string>();
  for (const one of plants) {
    const { owner, name } = one.request as { owner: string; name: string };
    if (known.has(nameOf(owner, name)))
      throw lineFault(one.line, `${owner} already has a plant with the name ${name}`);
    const { plantId } = await inLine(one, () =>
      door.call('plant/add', one.request as unknown as WireRequest<'plant/add'>),
    );
    ids.set(one.key, plantId);
    added.plants.push({ line: one.line, id: plantId, owner, name });
  }
  return ids;
}

const nameOf = (owner: string, name: string): string => JSON.stringify([mailboxKey(owner), name]);

const inLine = <T>({ line }: FleetPart, add: () => Promise<T>): Promise<T> =>
  add().catch((error: unknown) => {
    throw error instanceof Failure ? lineFault(line, error.message) : error;
  });

/** After the import, since hashing is deliberately slow: whom it does not reach any more has no password. */
async function givePasswords(operator: OperatorDoor, { owners }: Added): Promise<void> {
  for (const owner of owners) {
    const { password } = await operator.call('user/password', { email: owner.email });
    owner.password = password!;
  }
}

function report(context: CliContext, added: Added, { dryRun }: Options): void {
  const counts = Object.entries(added).map(([name, { length }]) => `${length} ${name}`);
  if (dryRun) {
    const json = Object.fromEntries(
      Object.entries(added).map(([name, { length }]) => [name, length]),
    );
    context.print({ dryRun: true, ...json }, `dry run, nothing added: ${counts.join(', ')}`);
    return;
  }
  const { gatewayUrl } = context.config();
  const { owners, collectors } = added;
  context.print({ gatewayUrl, ...added }, () =>
    [
      ...(owners.some(({ password }) => password !== undefined)
        ? [
            tableText(
              ['owner', 'password'],
              owners.map((one) => [one.email, one.password]),
            ),
          ]
        : []),
      ...(collectors.length > 0
        ? [
            tableText(
              ['collector', 'plant', 'token'],
              collectors.map(({ sn, plantId, token }) => [sn, plantId, token]),
            ),
            `They report to ${gatewayUrl}`,
          ]
        : []),
      `added: ${counts.join(', ')}`,
    ].join('\n\n'),
  );
}
