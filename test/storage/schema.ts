import { sql } from 'kysely';
import type { Storage } from '../../packages/server/src/platform/storage/open.ts';

/** The tables of a database with their columns, constraints and indexes, as text: what two ways to the same schema are compared by. */
export const schemaOf = ({ db, engine }: Pick<Storage, 'db' | 'engine'>): Promise<string> =>
  engine === 'sqlite' ? ofSqlite(db) : ofPostgres(db);

async function ofSqlite(db: Storage['db']): Promise<string> {
  const { rows: tables } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`.execute(
    db,
  );
  const parts: string[] = [];
  for (const { name, sql: script } of tables) {
    const columns = await sql<{
      name: string;
      type: string;
      notnull: number;
      dflt_value: string | null;
      pk: number;
    }>`select name, type, "notnull", dflt_value, pk from pragma_table_info(${name}) order by cid`.execute(
      db,
    );
    const references = await sql<{
      from: string;
      table: string;
    }>`select "from", "table" from pragma_foreign_key_list(${name}) order by "from"`.execute(db);
    const indexes = await sql<{
      name: string;
      columns: string;
      unique: number;
      text: string | null;
    }>`
      select list.name, list."unique", (select group_concat(coalesce(name, '(expression)')) from pragma_index_info(list.name)) as columns,
        (select sql from sqlite_master where sqlite_master.name = list.name) as text
      from pragma_index_list(${name}) as list order by list.name`.execute(db);
    parts.push(
      [
        `table ${name}${/without rowid\s*$/i.test(script) ? ' without rowid' : ''}`,
        ...columns.rows.map(
          (column) =>
            `  ${column.name} ${column.type}${column.notnull ? ' not null' : ''}${column.dflt_value === null ? '' : ` default ${column.dflt_value}`}${column.pk ? ` key ${column.pk}` : ''}`,
        ),
        ...references.rows.map(({ from, table }) => `  ${from} -> ${table}`),
        ...indexes.rows.map((index) =>
          index.text === null
            ? `  unique ${index.columns}`
            : `  ${index.text.replaceAll(/\s+/g, ' ')}`,
        ),
      ].join('\n'),
    );
  }
  return `${parts.join('\n')}\n`;
}

async function ofPostgres(db: Storage['db']): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select line from (
      select class.relname::text as of, 0 as part, 0 as place, 'table ' || class.relname || coalesce(' ' || array_to_string(class.reloptions, ', '), '') as line
        from pg_class as class where class.relkind = 'r' and class.relnamespace = 'public'::regnamespace
      union all
      select class.relname::text, 1, attribute.attnum, '  ' || attribute.attname || ' ' || format_type(attribute.atttypid, attribute.atttypmod)
          || case when attribute.attcollation <> type.typcollation then ' collate C' else '' end
          || case when attribute.attnotnull then ' not null' else '' end || case attribute.attidentity when 'a' then ' identity' else '' end
          || case attribute.attstorage when type.typstorage then '' else ' storage ' || attribute.attstorage::text end
          || coalesce(' default ' || pg_get_expr(value.adbin, value.adrelid), '')
        from pg_attribute as attribute
        join pg_class as class on class.oid = attribute.attrelid and class.relkind = 'r' and class.relnamespace = 'public'::regnamespace
        join pg_type as type on type.oid = attribute.atttypid
        left join pg_attrdef as value on value.adrelid = attribute.attrelid and value.adnum = attribute.attnum
        where attribute.attnum > 0 and not attribute.attisdropped
      union all
      select class.relname::text, 2, 0, '  ' || pg_get_constraintdef(known.oid)
        from pg_constraint as known join pg_class as class on class.oid = known.conrelid
        where known.connamespace = 'public'::regnamespace and known.contype <> 'n'
      union all
      select tablename::text, 3, 0, '  ' || indexdef from pg_indexes where schemaname = 'public'
      union all
      select 'zz', 4, 0, 'function ' || proname || ' ' || prosrc from pg_proc where pronamespace = 'public'::regnamespace
    ) as lines order by of collate "C", part, place, line collate "C"`.execute(db);
  return `${rows.map(({ line }) => line).join('\n')}\n`;
}
