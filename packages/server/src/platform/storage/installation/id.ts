import { randomBytes } from 'node:crypto';
import type { Db } from '../database.ts';
import { makeValue } from './values.ts';

/** A name for this installation, made once: engines beside the database keep it, so that nobody else's rows are taken for its own. */
export const installationId = async (db: Db): Promise<string> =>
  Buffer.from(await makeValue(db, 'id', () => randomBytes(16))).toString('hex');
