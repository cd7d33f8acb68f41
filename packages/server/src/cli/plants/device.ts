import { Option } from 'commander';
import type { Act } from '../../accounts/audit.ts';
import { assignCollector, findDevice, insertDevice, listDevices, measuringKinds, type DeviceKind } from '../../devices/devices.ts';
import { Failure, invalidValue } from '../../kernel/failure.ts';
import { bindDevice } from '../../plants/bindings.ts';
import type { Trx } from '../../storage/database.ts';
import type { Register } from '../context.ts';
import { numeric, operatorAct, shownTime } from '../operator.ts';
import { table } from '../table.ts';

interface AddOptions {
  plant: string;
  kind: DeviceKind;
  sn: string;
  collector?: string;
  model?: string;
  name?: string;
  ratedPowerW?: number;
}

export const registerDevice: Register = (program, context) => {
  const device = program.command('device').description('what stands in plants and measures');

  device
    .command('add')
    .description('add a device to a plant; one that is known and stands nowhere is bound again')
    .requiredOption('--plant <id>', 'id of the plant')
    .addOption(new Option('--kind <kind>', 'what it is').choices([...measuringKinds]).makeOptionMandatory())
    .requiredOption('--sn <sn>', 'serial number, its case kept')
    .option('--collector <sn>', 'serial number of the collector that reports for it')
    .option('--model <model>', 'model')
    .option('--name <name>', 'name')
    .option('--rated-power-w <watts>', 'rated AC power', numeric)
    .action(async (options: AddOptions) => {
      const { db } = await context.storage();
      const id = await db.transaction().execute((trx) => addDevice(trx, operatorAct(context), options));
      context.print({ id, sn: options.sn }, id);
    });

  device
    .command('list')
    .description('list devices')
    .option('--plant <id>', 'only those of this plant')
    .action(async (options: { plant?: string }) => {
      const { db } = await context.storage();
      const devices = await listDevices(db, options.plant === undefined ? {} : { plantId: options.plant });
      const shown = devices.map(({ id, sn, kind, name, model, plantId, collectorSn, ratedPowerW, createdAt }) => ({
        id,
        sn,
        kind,
        name,
        model,
        plantId,
        collectorSn,
        ratedPowerW,
        createdAt,
      }));
      context.print(shown, () =>
        table(
          ['id', 'serial number', 'kind', 'name', 'model', 'plant', 'collector', 'rated W', 'added'],
          shown.map((d) => [d.id, d.sn, d.kind, d.name, d.model, d.plantId, d.collectorSn, d.ratedPowerW, shownTime(d.createdAt)]),
        ),
      );
    });
};

async function addDevice(trx: Trx, act: Act, { plant, kind, sn, collector, model, name, ratedPowerW }: AddOptions): Promise<string> {
  const known = await findDevice(trx, sn);
  if (known && known.kind !== kind) throw invalidValue('kind', `${known.kind}, which this serial number is known as`);
  const id = known?.id ?? (await insertDevice(trx, act, { sn, kind, model: model ?? null, name: name ?? null, ratedPowerW: ratedPowerW ?? null }));
  await bindDevice(trx, act, id, plant);
  if (collector !== undefined) {
    const reporter = await findDevice(trx, collector);
    if (reporter?.kind !== 'collector') throw new Failure('collectorUnknown');
    await assignCollector(trx, id, reporter.id);
  }
  return id;
}
