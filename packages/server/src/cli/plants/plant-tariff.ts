import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { Failure, invalidValue } from '../../kernel/failure.ts';
import { lockPlant } from '../../plants/lock.ts';
import { removeTariff, setTariff } from '../../plants/tariffs/prices.ts';
import { requestRecalculation } from '../../plants/tariffs/recalculation.ts';
import { checkTariff, tariffsOf, tariffUses, type Tariff, type TariffUse, type TariffVersion, type TariffWindow } from '../../plants/tariffs/tariffs.ts';
import { listZones } from '../../plants/zones.ts';
import type { Db } from '../../storage/database.ts';
import { calendarOf, wallTime, type Zones } from '../../calendar/plant-calendar.ts';
import type { CliContext } from '../context.ts';
import { CommandFault, UsageFault } from '../installation/faults.ts';
import { either, numeric, operatorAct } from '../operator.ts';
import { table } from '../table.ts';

interface TariffOptions {
  plant?: string;
  use: TariffUse;
  from?: string;
  price?: number;
  file?: string;
}

const BEGIN = 'YYYY-MM-DD (midnight at the plant), an instant such as 2026-01-01T12:00:00Z, or `beginning`';

/** Prices with validity and by the time of day, and making anew what follows from them. */
export function registerTariffs(plant: Command, context: CliContext): void {
  const tariff = plant.command('tariff').description('prices of energy: since when, and by the time of day');
  const ofPlant = (name: string, description: string): Command =>
    tariff.command(name).description(description).argument('[plant]', 'id of the plant').option('--plant <id>', 'the same');
  const use = (): Option => new Option('--use <use>', 'what the price is for').choices(tariffUses).makeOptionMandatory();

  ofPlant('set', 'put a tariff in force from a time on, in the past or the future; the earliest counts for all time before it, too')
    .addOption(use())
    .option('--from <begin>', `${BEGIN}; without it now`)
    .option('--price <amount>', 'one price per kWh', numeric)
    .option('--file <file>', 'JSON: {"pricePerKwh":0.3,"windows":[{"days":["sat","sun"],"months":[1,2],"start":"22:00","end":"06:00","pricePerKwh":0.2}]}')
    .action(async (argument: string | undefined, { plant: named, use: of, from, price, file }: TariffOptions) => {
      if ((price === undefined) === (file === undefined)) throw new UsageFault('expected either --price or --file');
      const id = either(argument, named, 'the id of a plant');
      const given = checkTariff(file === undefined ? { pricePerKwh: price } : readTariff(context, file));
      const act = operatorAct(context);
      const { db } = await context.storage();
      const zones = await zonesOf(db, id);
      const version: TariffVersion = { fromAt: from === undefined ? act.at : beginOf(zones, from), ...given };
      await db.transaction().execute((trx) => setTariff(trx, act, id, of, version));
      context.print({ id, use: of, ...version }, `${id}: ${pricesText(version)} for ${of} from ${beginText(zones, version.fromAt)}`);
    });

  ofPlant('list', 'list the tariffs of a plant').action(async (argument: string | undefined, { plant: named }: { plant?: string }) => {
    const { db } = await context.storage();
    const id = either(argument, named, 'the id of a plant');
    const zones = await zonesOf(db, id);
    const versions = await versionsOf(db, id);
    context.print(versions, () =>
      table(
        ['use', 'from', 'price per kWh', 'hours'],
        versions.map(({ use: of, fromAt, pricePerKwh, windows = [] }) => [of, beginText(zones, fromAt), pricePerKwh, windows.map(windowText).join('; ')]),
      ),
    );
  });

  ofPlant('remove', 'take a tariff back: the one before it goes on')
    .addOption(use())
    .requiredOption('--from <begin>', `when it begins: ${BEGIN}`)
    .action(async (argument: string | undefined, { plant: named, use: of, from }: TariffOptions) => {
      const { db } = await context.storage();
      const id = either(argument, named, 'the id of a plant');
      const zones = await zonesOf(db, id);
      const own = (await versionsOf(db, id)).filter((version) => version.use === of).map(({ fromAt }) => fromAt);
      const fromAt = oneOf(own, zones, from!);
      await db.transaction().execute((trx) => removeTariff(trx, operatorAct(context), id, of, fromAt));
      context.print({ id, use: of, fromAt, removed: true }, `${id}: the tariff for ${of} from ${beginText(zones, fromAt)} is taken back`);
    });

  plant
    .command('recalculate')
    .description('make energies and money anew from the readings; a running server does it in the background')
    .argument('[plant]', 'id of the plant')
    .option('--plant <id>', 'the same')
    .option('--from <begin>', BEGIN, 'beginning')
    .action(async (argument: string | undefined, { plant: named, from }: { plant?: string; from: string }) => {
      const { db } = await context.storage();
      const id = either(argument, named, 'the id of a plant');
      const fromAt = beginOf(await zonesOf(db, id), from);
      const devices = await db.transaction().execute(async (trx) => {
        await lockPlant(trx, id);
        return requestRecalculation(trx, id, fromAt, context.clock.now());
      });
      context.print({ id, fromAt, devices }, `${id}: the energies of ${devices} devices are going to be made anew`);
    });
}

/** Throws noPermission for an unknown plant. */
async function zonesOf(db: Db, plantId: string): Promise<Zones> {
  const zones = await listZones(db, plantId);
  if (zones.length === 0) throw new Failure('noPermission');
  return zones;
}

async function versionsOf(db: Db, plantId: string): Promise<(TariffVersion & { use: TariffUse })[]> {
  const row = await db.selectFrom('plant').select(['tariffs', 'pricePerKwh']).where('id', '=', plantId).executeTakeFirstOrThrow();
  const known = tariffsOf(row);
  return tariffUses.flatMap((use) => (known[use] ?? []).map((version) => ({ use, ...version })));
}

function readTariff(context: CliContext, file: string): unknown {
  try {
    return JSON.parse(readFileSync(context.path(file), 'utf8'));
  } catch (error) {
    throw new CommandFault(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

const LAST = Date.UTC(2200, 0, 1);

/** Throws invalidValue. */
function beginOf(zones: Zones, text: string): number {
  if (text === 'beginning') return 0;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const date = new Date(day === undefined ? text : `${text}T00:00:00Z`);
  const isDate = day !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(date.getTime());
  const at = isDate ? calendarOf(zones).dayWindow(Number(`${year}${month}${day}`)).startAt : date.getTime();
  if ((isDate || isInstant) && at >= 0 && at < LAST) return at;
  throw invalidValue('from', BEGIN);
}

/** The one begin that is meant: a date means that of its day. */
function oneOf(begins: readonly number[], zones: Zones, text: string): number {
  const at = beginOf(zones, text);
  const exact = begins.filter((begin) => begin === at);
  const { endAt } = calendarOf(zones).dayWindow(calendarOf(zones).dayOf(at));
  const found = exact.length > 0 || text.includes('T') || at === 0 ? exact : begins.filter((begin) => begin > at && begin < endAt);
  if (found.length > 1)
    throw new CommandFault(`${found.length} tariffs begin on ${text}: name the instant, ${found.map((one) => new Date(one).toISOString()).join(' or ')}`);
  return found[0] ?? at;
}

const beginText = (zones: Zones, at: number): string => (at === 0 ? 'the beginning' : wallTime(zones, at));

const pricesText = ({ pricePerKwh, windows = [] }: Tariff): string => [String(pricePerKwh), ...windows.map(windowText)].join('; ');

const windowText = ({ days, months, start, end, pricePerKwh }: TariffWindow): string =>
  [days?.join(','), months && `in month ${months.join(',')}`, `${start}-${end}`, String(pricePerKwh)].filter((part) => part !== undefined).join(' ');
