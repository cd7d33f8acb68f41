import { endFormerKey, isRotating } from '../../../../platform/storage/checks/master-key-check.ts';
import { overwriteRemoved } from '../../../../platform/storage/checks/forget-removed.ts';
import { masterKeyFile } from '../../../../platform/config/master-key.ts';
import type { RegisterCommand } from '../../context.ts';
import { CliUsageFault } from '../faults.ts';
import { recordAudit } from '../../../../identity/accounts/audit.ts';
import { operatorAct } from './act.ts';
import { forgetMasterKey } from './forget.ts';
import { rotateMasterKey } from './rotate.ts';

/** `helioport master-key rotate|end-former|forget`: replaces the master key, or goes on without what a lost one has encrypted. */
export const registerMasterKey: RegisterCommand = (program, context) => {
  const masterKey = program
    .command('master-key')
    .description('replace the master key, or go on without a lost one');
  masterKey
    .command('rotate')
    .description(
      'encrypt everything with a new master key, while the service runs; if interrupted, repeat it',
    )
    .option('--new-key <file>', 'file with the new key; by default, it is made')
    .action(async ({ newKey: file }: { newKey?: string }) => {
      const { masterKey: setting } = context.config();
      const count = await rotateMasterKey(
        context,
        file === undefined ? undefined : context.path(file),
      );
      if (setting !== null)
        context.note(
          'set HELIOPORT_MASTER_KEY to the new key before the next start of any instance; running ones have learned it',
        );
      context.print(
        { encrypted: count },
        `${count} secrets are encrypted with the new key; make a backup, and keep a copy of the key`,
      );
    });
  masterKey
    .command('end-former')
    .description(
      'after a rotation: have the former key open nothing any more, not even links in e-mails',
    )
    .action(async () => {
      const { db } = await context.storage();
      if (await isRotating(db))
        throw new CliUsageFault(
          'a rotation is under way: repeat helioport master-key rotate first',
        );
      await overwriteRemoved(db);
      await endFormerKey(db, (trx) =>
        recordAudit(trx, operatorAct(context), { kind: 'masterKey.formerEnded', accountId: null }),
      );
      context.print({ ended: true }, 'the former key opens nothing any more');
    });
  masterKey
    .command('forget')
    .description(
      'if the master key is lost: disable what it encrypts, and go on with a new key; all instances must be stopped',
    )
    .option('--yes', 'confirm that the key is lost')
    .action(async ({ yes }: { yes?: true }) => {
      if (!yes)
        throw new CliUsageFault(
          'this disables all key pairs, authenticator apps, destinations, webhooks and push messages for good: confirm with --yes',
        );
      const { masterKey: setting } = context.config();
      const forgotten = await forgetMasterKey(context);
      const counts = [
        `disabled: ${forgotten.keyPairs} key pairs`,
        `${forgotten.destinations} destinations of events`,
        `${forgotten.webhooks} webhooks`,
        `removed: ${forgotten.authenticatorApps} authenticator apps`,
        `${forgotten.pushSubscriptions} browsers with push messages`,
        `${forgotten.mails} e-mails not sent yet`,
      ];
      const where = setting === null ? masterKeyFile(context.config()) : 'HELIOPORT_MASTER_KEY';
      context.print(
        forgotten,
        `${counts.join(', ')}; everything else works as before, and the new key is in ${where}`,
      );
    });
};
