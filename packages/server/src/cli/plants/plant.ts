import { Option, type Command } from 'commander';
import { getAccountByEmail } from '../../accounts/accounts.ts';
import type { Act } from '../../accounts/audit.ts';
import { archivePlant, insertPlant, transferPlant } from '../../plants/plants.ts';
import { listKnownPlants } from '../../plants/fleet/plant-list.ts';
import { sharePlant, unsharePlant, type ShareLevel } from '../../plants/shares.ts';
import type { Trx } from '../../storage/database.ts';
import type { Register } from '../context.ts';
import { either, numeric, operatorAct, shownTime } from '../operator.ts';
import { registerTariffs } from './plant-tariff.ts';
import { table } from '../table.ts';

interface AddOptions {
  owner: string;
  name: string;
  capacityKwp: number;
  timeZone?: string;
  currency: string;
  pricePerKwh?: number;
  address?: string;
  latitude?: number;
  longitude?: number;
  tilt?: number;
  azimuth?: number;
  type: number;
  nmi?: string;
  installer?: string;
}

export const registerPlant: Register = (program, context) => {
  const plant = program.command('plant').description('plants, and who may see them');

  plant
    .command('add')
    .description('add a plant')
    .requiredOption('--owner <email>', 'who owns it')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--capacity-kwp <kWp>', 'rated power of the modules', numeric)
    .option('--time-zone <zone>', 'IANA time zone; without it the owner’s')
    .option('--currency <code>', 'currency of its income', 'EUR')
    .option('--price-per-kwh <amount>', 'income per kWh', numeric)
    .option('--address <text>', 'where it is')
    .option('--latitude <degrees>', 'north is positive', numeric)
    .option('--longitude <degrees>', 'east is positive', numeric)
    .option('--tilt <degrees>', 'tilt of the modules', numeric)
    .option('--azimuth <degrees>', 'azimuth of the modules', numeric)
    .option('--type <number>', '0 grid, 1 storage, 2 AC couple, 3 EPM, ... 11', numeric, 0)
    .option('--nmi <code>', 'meter id of an Australian plant')
    .option('--installer <email>', 'who installed it; also gets a share with control')
    .action(async (options: AddOptions) => {
      const { db } = await context.storage();
      const owner = await getAccountByEmail(db, options.owner);
      const installer = options.installer === undefined ? null : await getAccountByEmail(db, options.installer);
      const id = await db.transaction().execute(async (trx) => {
        const act = operatorAct(context);
        const plantId = await insertPlant(trx, act, {
          ownerId: owner.id,
          installerId: installer?.id ?? null,
          name: options.name,
          type: options.type,
          capacityKwp: options.capacityKwp,
          currency: options.currency,
          pricePerKwh: options.pricePerKwh ?? null,
          address: options.address ?? null,
          latitude: options.latitude ?? null,
          longitude: options.longitude ?? null,
          tiltDegrees: options.tilt ?? null,
          azimuthDegrees: options.azimuth ?? null,
          nmiCode: options.nmi ?? null,
          timeZone: options.timeZone ?? owner.timeZone,
        });
        if (installer && installer.id !== owner.id) await sharePlant(trx, act, plantId, installer.email, 'control');
        return plantId;
      });
      context.print({ id }, id);
    });

  plant
    .command('list')
    .description('list plants')
    .option('--owner <email>', 'only those of this owner')
    .action(async (options: { owner?: string }) => {
      const { db } = await context.storage();
      const plants = await listKnownPlants(db, options.owner === undefined ? undefined : (await getAccountByEmail(db, options.owner)).id);
      context.print(plants, () =>
        table(
          ['id', 'name', 'owner', 'kWp', 'time zone', 'shared with', 'archived'],
          plants.map((p) => [
            p.id,
            p.name,
            p.owner,
            p.capacityKwp,
            p.timeZone,
            p.shares.map(({ email, level }) => `${email} (${level})`).join(', '),
            shownTime(p.archivedAt),
          ]),
        ),
      );
    });

  /** A command about one plant, whose id may stand as an argument or behind `--plant`. */
  const onePlant = (name: string, description: string): Command =>
    plant.command(name).description(description).argument('[plant]', 'id of the plant').option('--plant <id>', 'the same');
  const change = async (
    argument: string | undefined,
    option: string | undefined,
    write: (trx: Trx, act: Act, plantId: string) => Promise<void>,
  ): Promise<string> => {
    const { db } = await context.storage();
    const id = either(argument, option, 'the id of a plant');
    await db.transaction().execute((trx) => write(trx, operatorAct(context), id));
    return id;
  };

  onePlant('share', 'share a plant with a user, or change what a share allows')
    .requiredOption('--with <email>', 'the user')
    .addOption(new Option('--level <level>', 'what the share allows').choices(['read', 'control']).default('read'))
    .action(async (argument: string | undefined, options: { plant?: string; with: string; level: ShareLevel }) => {
      const { with: email, level } = options;
      const id = await change(argument, options.plant, (trx, act, plantId) => sharePlant(trx, act, plantId, email, level));
      context.print({ id, with: email, level }, `${id} is shared with ${email} (${level})`);
    });

  onePlant('unshare', 'withdraw a share from the next request on')
    .requiredOption('--with <email>', 'the user')
    .action(async (argument: string | undefined, options: { plant?: string; with: string }) => {
      const { with: email } = options;
      const id = await change(argument, options.plant, (trx, act, plantId) => unsharePlant(trx, act, plantId, email));
      context.print({ id, with: email, level: null }, `${id} is no longer shared with ${email}`);
    });

  onePlant('transfer', 'give a plant with its devices and history to another owner; its shares end')
    .requiredOption('--to <email>', 'the new owner')
    .action(async (argument: string | undefined, options: { plant?: string; to: string }) => {
      const id = await change(argument, options.plant, async (trx, act, plantId) =>
        transferPlant(trx, act, plantId, (await getAccountByEmail(trx, options.to)).id),
      );
      context.print({ id, owner: options.to }, `${id} belongs to ${options.to}`);
    });

  onePlant('archive', 'end a plant: nobody sees it any more, its devices are free').action(
    async (argument: string | undefined, options: { plant?: string }) => {
      const id = await change(argument, options.plant, archivePlant);
      context.print({ id, archived: true }, `${id} is archived`);
    },
  );

  registerTariffs(plant, context);
};
