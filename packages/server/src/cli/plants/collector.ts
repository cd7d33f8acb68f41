import { insertCollector, lastReportOf, listRefusals, type Refusal } from '../../devices/collectors.ts';
import { findDevice, listDevices } from '../../devices/devices.ts';
import { Failure } from '../../kernel/failure.ts';
import { bindDevice } from '../../plants/bindings.ts';
import type { Register } from '../context.ts';
import { either, operatorAct, shownTime } from '../operator.ts';
import { table } from '../table.ts';

const REFUSALS_SHOWN = 50;

export const registerCollector: Register = (program, context) => {
  const collector = program.command('collector').description('what reports for devices');

  collector
    .command('add')
    .description('add a collector; its token is shown this once')
    .requiredOption('--sn <sn>', 'serial number, its case kept')
    .option('--plant <id>', 'the plant that it stands in')
    .option('--model <model>', 'model')
    .action(async ({ sn, plant, model }: { sn: string; plant?: string; model?: string }) => {
      const { db } = await context.storage();
      const { id, token } = await db.transaction().execute(async (trx) => {
        const act = operatorAct(context);
        const made = await insertCollector(trx, act, { sn, model: model ?? null });
        if (plant !== undefined) await bindDevice(trx, act, made.id, plant);
        return made;
      });
      context.print({ id, sn, token }, () => table(['id', 'serial number', 'token'], [[id, sn, token]]));
    });

  collector
    .command('show')
    .description('show when a collector reported last, for whom, and what was refused lately')
    .argument('[sn]', 'serial number')
    .option('--sn <sn>', 'the same')
    .action(async (argument: string | undefined, options: { sn?: string }) => {
      const { db } = await context.storage();
      const known = await findDevice(db, either(argument, options.sn, 'a serial number'));
      if (known?.kind !== 'collector') throw new Failure('collectorUnknown');
      const { id, sn, model, plantId } = known;
      const lastReportAt = await lastReportOf(db, id);
      const devices = (await listDevices(db, { collectorId: id })).map((device) => device.sn);
      const refusals = await listRefusals(db, id, REFUSALS_SHOWN);
      context.print({ id, sn, model, plantId, lastReportAt, devices, refusals }, () =>
        [
          table(['id', 'serial number', 'model', 'plant', 'last report'], [[id, sn, model, plantId, shownTime(lastReportAt)]]),
          `reports for: ${devices.join(', ') || 'no device'}`,
          `refused lately: ${refusals.length === 0 ? 'nothing' : `\n${shownRefusals(refusals)}`}`,
        ].join('\n'),
      );
    });
};

const shownRefusals = (refusals: readonly Refusal[]): string =>
  table(
    ['serial number', 'reason', 'first', 'last', 'times'],
    refusals.map(({ sn, reason, firstAt, lastAt, count }) => [sn, reason, shownTime(firstAt), shownTime(lastAt), count]),
  );
