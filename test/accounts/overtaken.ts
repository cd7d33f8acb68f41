import type { Db } from '../../packages/server/src/platform/storage/database.ts';

/** The database, where `meanwhile` happens once, before the first transaction after a statement in which `text` stands. */
export function overtaken(db: Db, text: string, meanwhile: () => Promise<unknown>): Db {
  let seen = false;
  let happened = false;
  const watched = db.withPlugin({
    transformQuery({ node }) {
      seen ||= JSON.stringify(node).includes(`"${text}"`);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const transaction = () => ({
    async execute(work: (trx: Db) => Promise<unknown>) {
      if (seen && !happened) {
        happened = true;
        await meanwhile();
      }
      return db.transaction().execute(work);
    },
  });
  return new Proxy(watched, {
    get(target, key) {
      if (key === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
