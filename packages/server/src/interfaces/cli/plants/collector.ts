import type { OutputOfOperation } from '@helioport/contract';
import { Option } from 'commander';
import type { Register } from '../context.ts';
import { duration, either, shownTime } from '../operator.ts';
import { table } from '../table.ts';

export const registerCollector: Register = (program, context) => {
  const collector = program.command('collector').description('manage collectors and their tokens');

  collector
    .command('add')
    .description('add a collector; its token is shown only once')
    .requiredOption('--sn <sn>', 'serial number, case-sensitive')
    .addOption(new Option('--plant <id>', 'id of the plant to add it to').conflicts('owner'))
    .option(
      '--owner <email>',
      'e-mail address of the only account that may bind the collector without its token',
    )
    .option('--model <model>', 'model of the collector')
    .action(
      async ({
        sn,
        plant,
        owner,
        model,
      }: {
        sn: string;
        plant?: string;
        owner?: string;
        model?: string;
      }) => {
        const { id, tokenId, token } = await (
          await context.operator()
        ).call('collector/add', { sn, plantId: plant, owner, model });
        const { gatewayUrl } = context.config();
        context.print({ id, sn, tokenId, token, gatewayUrl }, () =>
          [
            table(['id', 'serial number', 'token id', 'token'], [[id, sn, tokenId, token]]),
            `It reports to ${gatewayUrl}`,
          ].join('\n\n'),
        );
      },
    );

  collector
    .command('list')
    .description(
      'list collectors with the time of their last report, and by how much their clocks are wrong',
    )
    .option('--plant <id>', 'only collectors of this plant')
    .action(async ({ plant }: { plant?: string }) => {
      const collectors = await (
        await context.operator()
      ).call('collector/list', { plantId: plant });
      context.print(collectors, () =>
        table(
          [
            'id',
            'serial number',
            'name',
            'model',
            'plant',
            'devices',
            'last report',
            'clock',
            'added',
          ],
          collectors.map((c) => [
            c.id,
            c.sn,
            c.name,
            c.model,
            c.plantId,
            c.deviceCount,
            shownTime(c.lastReportAt),
            shownOffset(c.clockOffsetSeconds),
            shownTime(c.createdAt),
          ]),
        ),
      );
    });

  collector
    .command('rotate')
    .description('issue a new token for a collector, shown only once')
    .argument('<sn>', 'serial number')
    .option(
      '--overlap <time>',
      'how long the old token stays valid, such as 90s, 30m, 12h or 1d; 0 ends it at once',
      duration,
      0,
    )
    .action(async (sn: string, { overlap }: { overlap: number }) => {
      const { tokenId, token } = await (
        await context.operator()
      ).call('collector/rotate', { sn, overlapSeconds: Math.ceil(overlap / 1000) });
      context.print({ sn, tokenId, token }, () =>
        table(['serial number', 'token id', 'token'], [[sn, tokenId, token]]),
      );
    });

  collector
    .command('revoke')
    .description('revoke all tokens of a collector at once; `rotate` issues a new one')
    .argument('<sn>', 'serial number')
    .action(async (sn: string) => {
      const { revoked } = await (await context.operator()).call('collector/revoke', { sn });
      context.print(
        { sn, revoked },
        `${revoked} ${revoked === 1 ? 'token' : 'tokens'} of ${sn} revoked`,
      );
    });

  collector
    .command('show')
    .description('show a collector’s last report, its devices and recent refusals')
    .argument('[sn]', 'serial number')
    .option('--sn <sn>', 'same as the argument')
    .action(async (argument: string | undefined, options: { sn?: string }) => {
      const shown = await (
        await context.operator()
      ).call('collector/show', { sn: either(argument, options.sn, 'a serial number') });
      const {
        id,
        sn,
        model,
        plantId,
        lastReportAt,
        clockOffsetSeconds,
        tokens,
        devices,
        refusals,
      } = shown;
      context.print(
        { id, sn, model, plantId, lastReportAt, clockOffsetSeconds, tokens, devices, refusals },
        () =>
          [
            table(
              ['id', 'serial number', 'model', 'plant', 'last report', 'clock'],
              [[id, sn, model, plantId, shownTime(lastReportAt), shownOffset(clockOffsetSeconds)]],
            ),
            `tokens: ${tokens.map((token) => `${token.id}${token.expiresAt === null ? '' : ` until ${shownTime(token.expiresAt)}`}`).join(', ') || 'none, so it cannot report'}`,
            `reports for: ${devices.join(', ') || 'no device'}`,
            `recently refused: ${refusals.length === 0 ? 'nothing' : `\n${shownRefusals(refusals)}`}`,
          ].join('\n'),
      );
    });
};

/** Smaller differences may only be the time that a report took to arrive. */
const IN_TIME_SECONDS = 5;

function shownOffset(seconds: number | null): string | null {
  if (seconds === null) return null;
  if (Math.abs(seconds) <= IN_TIME_SECONDS) return 'correct';
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`;
}

const shownRefusals = (refusals: OutputOfOperation<'collector/show'>['refusals']): string =>
  table(
    ['serial number', 'reason', 'first', 'last', 'times'],
    refusals.map(({ sn, reason, firstAt, lastAt, count }) => [
      sn,
      reason,
      shownTime(firstAt),
      shownTime(lastAt),
      count,
    ]),
  );
