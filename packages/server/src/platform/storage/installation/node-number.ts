import { randomInt } from 'node:crypto';
import { NODES } from '../../kernel/ids.ts';
import type { Db } from '../database.ts';
import { findValue } from './values.ts';

const NAME = 'nextNode';

/**
 * The node number for the ids of a server: the next one, so that servers of one installation have different numbers unless
 * 4,096 others have started between them.
 */
export async function takeNodeNumber(db: Db): Promise<number> {
  for (;;) {
    const found = await findValue(db, NAME);
    const number = found ? Buffer.from(found).readUInt16BE() : randomInt(NODES);
    if (await replace(db, found, toBytes((number + 1) % NODES))) return number;
    // Another server has taken this one.
  }
}

function toBytes(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(number);
  return bytes;
}

/** @returns whether the value was still the one that was read */
async function replace(
  db: Db,
  before: Uint8Array | undefined,
  value: Uint8Array,
): Promise<boolean> {
  if (before) {
    const { numUpdatedRows } = await db
      .updateTable('installation')
      .set({ value })
      .where('name', '=', NAME)
      .where('value', '=', before)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
