import { setTimeout } from 'node:timers/promises';
import { findMasterKey, masterKeyFile } from '../../../../platform/config/master-key.ts';
import { createSecretBox } from '../../../../platform/kernel/secrets.ts';
import {
  MasterKeyFault,
  openKeyRing,
} from '../../../../platform/storage/checks/master-key-check.ts';
import { isAnyRunning } from '../../../../platform/storage/checks/trial-write.ts';
import { removeSealed, type Forgotten } from '../../../../compose/master-key/remove-sealed.ts';
import type { CliContext } from '../../context.ts';
import { CliCommandFault } from '../faults.ts';
import { operatorAct } from './act.ts';
import { newKey, replaceKeyFile } from './key-file.ts';

/** Goes on without what a lost master key has encrypted. Throws CommandFault if the key is not lost, or instances are running, which have it. */
export async function forgetMasterKey(context: CliContext): Promise<Forgotten> {
  const config = context.config();
  const { db } = await context.storage();
  const found = findMasterKey(config);
  if (found && (await openKeyRing(db, found).catch(notThis)))
    throw new CliCommandFault(
      'the master key opens this database, so nothing is lost: helioport master-key rotate replaces it',
    );
  if (await isAnyRunning(db, setTimeout)) throw new CliCommandFault('stop all instances first');
  const key = config.masterKey ?? newKey();
  const file = masterKeyFile(config);
  // Before anything is removed: without its file, the new key would be lost as well.
  if (config.masterKey === null) replaceKeyFile(file, key, `${file}.${context.clock.now()}`);
  return removeSealed(db, operatorAct(context), createSecretBox(key));
}

function notThis(error: unknown): undefined {
  if (!(error instanceof MasterKeyFault)) throw error;
}
