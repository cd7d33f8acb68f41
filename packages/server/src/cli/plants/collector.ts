import { Option } from 'commander';
import { getAccountByEmail } from '../../accounts/accounts.ts';
import { addCollector, lastReportOf } from '../../collectors/collectors.ts';
import { listRefusals, type Refusal } from '../../collectors/refusals.ts';
import { listTokens, revokeTokens, rotateToken } from '../../collectors/tokens.ts';
import { findDevice, listDevices, type Device } from '../../devices/devices.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Db } from '../../storage/database.ts';
import type { Register } from '../context.ts';
import { duration, either, operatorAct, shownTime } from '../operator.ts';
import { table } from '../table.ts';

const REFUSALS_SHOWN = 50;

export const registerCollector: Register = (program, context) => {
  const collector = program.command('collector').description('what reports for devices');

  collector
    .command('add')
    .description('add a collector; its token is shown this once')
    .requiredOption('--sn <sn>', 'serial number, its case kept')
    .addOption(new Option('--plant <id>', 'the plant that it stands in').conflicts('owner'))
    .option('--owner <email>', 'the account that alone may bind it, beside whoever shows its token')
    .option('--model <model>', 'model')
    .action(async ({ sn, plant, owner, model }: { sn: string; plant?: string; owner?: string; model?: string }) => {
      const { db } = await context.storage();
      const { id, token } = await db.transaction().execute(async (trx) => {
        const account = owner === undefined ? undefined : await getAccountByEmail(trx, owner);
        return addCollector(trx, operatorAct(context), { sn, model, plantId: plant, accountId: account?.id });
      });
      context.print({ id, sn, token }, () => table(['id', 'serial number', 'token'], [[id, sn, token]]));
    });

  collector
    .command('rotate')
    .description('give a collector a new token, shown this once')
    .argument('<sn>', 'serial number')
    .option('--overlap <time>', 'how long the former token goes on, as 90s, 30m, 12h or 1d; 0 ends it at once', duration, 0)
    .action(async (sn: string, { overlap }: { overlap: number }) => {
      const { db } = await context.storage();
      const { tokenId, token } = await db.transaction().execute(async (trx) => rotateToken(trx, operatorAct(context), await getCollector(trx, sn), overlap));
      context.print({ sn, tokenId, token }, () => table(['serial number', 'token id', 'token'], [[sn, tokenId, token]]));
    });

  collector
    .command('revoke')
    .description('end all tokens of a collector at once; `rotate` gives it a new one')
    .argument('<sn>', 'serial number')
    .action(async (sn: string) => {
      const { db } = await context.storage();
      const revoked = await db.transaction().execute(async (trx) => revokeTokens(trx, operatorAct(context), await getCollector(trx, sn)));
      context.print({ sn, revoked }, `${revoked} ${revoked === 1 ? 'token' : 'tokens'} of ${sn} revoked`);
    });

  collector
    .command('show')
    .description('show when a collector reported last, for whom, and what was refused lately')
    .argument('[sn]', 'serial number')
    .option('--sn <sn>', 'the same')
    .action(async (argument: string | undefined, options: { sn?: string }) => {
      const { db } = await context.storage();
      const { id, sn, model, plantId } = await getCollector(db, either(argument, options.sn, 'a serial number'));
      const tokens = await listTokens(db, id, context.clock.now());
      const lastReportAt = await lastReportOf(db, id);
      const devices = (await listDevices(db, { collectorId: id })).map((device) => device.sn);
      const refusals = await listRefusals(db, id, REFUSALS_SHOWN);
      context.print({ id, sn, model, plantId, lastReportAt, tokens, devices, refusals }, () =>
        [
          table(['id', 'serial number', 'model', 'plant', 'last report'], [[id, sn, model, plantId, shownTime(lastReportAt)]]),
          `tokens: ${tokens.map((token) => `${token.id}${token.expiresAt === null ? '' : ` until ${shownTime(token.expiresAt)}`}`).join(', ') || 'none: it cannot report'}`,
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

/** Throws collectorUnknown. */
async function getCollector(db: Db, sn: string): Promise<Device> {
  const known = await findDevice(db, sn);
  if (known?.kind !== 'collector') throw new Failure('collectorUnknown');
  return known;
}
