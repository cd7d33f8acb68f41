import type { Adapter, AdapterPayload } from 'oidc-provider';
import pg from 'pg';

/**
 * The storage adapter of oidc-provider on PostgreSQL, one prepared statement per method. It does what its documentation asks and no more:
 * `consume` marks a token, and does not report whether it was marked before.
 */
export async function createPostgresAdapter(url: string): Promise<new (model: string) => Adapter> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query(
    'create table if not exists oidc (model text not null, id text not null, payload jsonb not null, "grantId" text, "expiresAt" bigint, "consumedAt" bigint, primary key (model, id))',
  );
  await pool.query('create index if not exists "oidcGrant" on oidc ("grantId")');
  const run = async (name: string, text: string, values: unknown[]): Promise<any[]> =>
    (await pool.query({ name, text, values })).rows;
  const nowSeconds = (): number => Math.floor(Date.now() / 1000);

  return class implements Adapter {
    readonly model: string;
    constructor(model: string) {
      this.model = model;
    }
    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<undefined> {
      const text = `insert into oidc (model, id, payload, "grantId", "expiresAt") values ($1, $2, $3, $4, $5)
        on conflict (model, id) do update set payload = excluded.payload, "grantId" = excluded."grantId", "expiresAt" = excluded."expiresAt"`;
      await run('upsert', text, [
        this.model,
        id,
        payload,
        payload.grantId ?? null,
        expiresIn ? nowSeconds() + expiresIn : null,
      ]);
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      const text =
        'select payload, "consumedAt" from oidc where model = $1 and id = $2 and ("expiresAt" is null or "expiresAt" > $3)';
      const [row] = await run('find', text, [this.model, id, nowSeconds()]);
      return row && { ...row.payload, ...(row.consumedAt && { consumed: Number(row.consumedAt) }) };
    }
    async findByUserCode(): Promise<undefined> {}
    async findByUid(): Promise<undefined> {}
    async consume(id: string): Promise<undefined> {
      await run('consume', 'update oidc set "consumedAt" = $3 where model = $1 and id = $2', [
        this.model,
        id,
        nowSeconds(),
      ]);
    }
    async destroy(id: string): Promise<undefined> {
      await run('destroy', 'delete from oidc where model = $1 and id = $2', [this.model, id]);
    }
    async revokeByGrantId(grantId: string): Promise<undefined> {
      await run('revokeByGrantId', 'delete from oidc where "grantId" = $1 and model = $2', [
        grantId,
        this.model,
      ]);
    }
  };
}
