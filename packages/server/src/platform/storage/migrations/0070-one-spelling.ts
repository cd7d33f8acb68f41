import type { Kysely } from 'kysely';
import { readMailbox } from '../../kernel/addresses/mailbox.ts';

/** The tables whose addresses are compared with those of accounts, and what of them must be unique together with the address. */
const holders = [
  { table: 'account', key: 'id', unique: [] },
  { table: 'companyInvitation', key: 'id', unique: ['companyId'] },
  { table: 'invitation', key: 'id', unique: undefined },
] as const;

/**
 * Gives addresses whose domains were written as `xn--` the one spelling that addresses have (`readMailbox`). Where two accounts have one mailbox, the one
 * with the other spelling keeps it, and is found under it.
 */
export async function respellAddresses(trx: Kysely<any>): Promise<void> {
  for (const { table, key, unique } of holders) {
    const rows = await trx
      .selectFrom(table)
      .select([key, 'email', ...(unique ?? [])])
      .where('email', 'like', '%xn--%')
      .orderBy(key)
      .execute();
    for (const row of rows) {
      const email = readMailbox(row['email'] as string);
      if (email === undefined || email === row['email']) continue;
      let taken = trx.selectFrom(table).select(key).where('email', '=', email);
      for (const column of unique ?? []) taken = taken.where(column, '=', row[column]);
      if (unique && (await taken.executeTakeFirst())) continue;
      await trx.updateTable(table).set({ email }).where(key, '=', row[key]).execute();
    }
  }
}
