import { setTimeout } from 'node:timers/promises';
import { masterKeyFile } from '../../../../platform/config/master-key.ts';
import { equalSecrets } from '../../../../platform/kernel/secrets.ts';
import { openSecretBox } from '../../../../compose/installation.ts';
import {
  beginRotation,
  endRotation,
  isRotating,
  LOOK_FOR_KEY_MS,
  sealCheck,
} from '../../../../platform/storage/checks/master-key-check.ts';
import type { CliContext } from '../../context.ts';
import { CliUsageFault } from '../faults.ts';
import { recordAudit } from '../../../../identity/accounts/audit.ts';
import { operatorAct } from './act.ts';
import { keyIn, newKey, replaceKeyFile } from './key-file.ts';
import { overwriteRemoved } from '../../../../platform/storage/checks/forget-removed.ts';
import { reseal } from '../../../../compose/master-key/reseal.ts';

/** Within this time, every running instance has looked for the new key. */
const LEARNED_MS = 5 * LOOK_FOR_KEY_MS;

/**
 * Replaces the master key while the service runs: stores the new key encrypted with the old one, waits until all instances encrypt with it, encrypts
 * everything anew and only then puts the new key in the place of the old one. Each step may be repeated, so an interrupted rotation is continued.
 */
export async function rotateMasterKey(
  context: CliContext,
  file: string | undefined,
): Promise<number> {
  const config = context.config();
  const { db } = await context.storage();
  const given = file === undefined ? undefined : keyIn(file);
  if (config.masterKey !== null && !given)
    throw new CliUsageFault(
      'the master key comes from HELIOPORT_MASTER_KEY: make a new one (openssl rand -base64 32 > FILE), and name it with --new-key FILE',
    );
  await overwriteRemoved(db);
  const ring = await openSecretBox(db, config);
  if (await isRotating(db)) {
    if (given && !equalSecrets(given, ring.current))
      throw new CliUsageFault(
        'a rotation to another key is under way: repeat the command with that key first',
      );
  } else {
    if (given && equalSecrets(given, ring.current)) return 0;
    await beginRotation(db, ring, given ?? newKey());
  }
  await setTimeout(LEARNED_MS);
  const count = await reseal(db, ring);
  await sealCheck(db, ring);
  if (config.masterKey === null) replaceKeyFile(masterKeyFile(config), ring.current, null);
  const act = operatorAct(context);
  await endRotation(db, ring, act.at, (trx) =>
    recordAudit(trx, act, {
      kind: 'masterKey.rotated',
      accountId: null,
      data: { encrypted: count },
    }),
  );
  return count;
}
