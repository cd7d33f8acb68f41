import type { JsonSchema } from '../../json-schema.ts';
import type { Response } from '../../operation.ts';
import type { Listing, PageRecord } from '../../records/index.ts';
import type { RecordTable } from './record.ts';

/** A page in the form that clients know. */
export interface WirePage<Data> {
  readonly records: readonly Data[];
  readonly total: number;
  readonly size: number;
  readonly current: number;
  readonly orders: readonly never[];
  readonly optimizeCountSql: boolean;
  readonly searchCount: boolean;
  readonly pages: number;
}

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });

/** A response whose data is one record. */
export const one = <R, Data>({
  schema,
  project,
  text,
}: RecordTable<R, Data>): Response<R, Data> => ({ schema, project, text });

/** A response whose data is an array of records. */
export const many = <R, Data>({
  schema,
  project,
  text,
}: RecordTable<R, Data>): Response<readonly R[], readonly Data[]> => ({
  schema: { type: 'array', items: schema },
  project: (records) => records.map(project),
  text: (records) => `[${records.map(text).join(',')}]`,
});

type WithText<R extends Response<never>> = R & Required<Pick<R, 'text'>>;

/** A response whose data is a page. */
export const page = <R, Data>({
  schema,
  project,
  text,
}: RecordTable<R, Data>): WithText<Response<PageRecord<R>, WirePage<Data>>> => ({
  schema: pageSchema(schema),
  project: (output) => ({ records: output.records.map(project), ...placeOf(output) }),
  text: (output) =>
    `{"records":[${output.records.map(text).join(',')}],${JSON.stringify(placeOf(output)).slice(1)}`,
});

const placeOf = ({
  total,
  pageNo,
  pageSize,
}: PageRecord<unknown>): Omit<WirePage<never>, 'records'> => ({
  total,
  size: pageSize,
  current: pageNo,
  orders: [],
  optimizeCountSql: true,
  searchCount: true,
  pages: Math.ceil(total / pageSize),
});

/** A response whose data holds a page, and the numbers of all listed records by state. */
export const pageWithCounts = <R, Data, Key extends string, Counts>(
  record: RecordTable<R, Data>,
  key: Key,
  counts: RecordTable<Listing<R>['counts'], Counts>,
): Response<
  Listing<R>,
  { readonly page: WirePage<Data>; readonly mpptSwitch: number } & { readonly [K in Key]: Counts }
> => {
  const inner = page(record);
  return {
    schema: {
      type: 'object',
      properties: {
        [key]: counts.schema,
        page: inner.schema,
        mpptSwitch: { type: 'integer', description: 'kept for existing clients, always 0' },
      },
      required: [key, 'page', 'mpptSwitch'],
    },
    project: (listing) => {
      const rest = { page: inner.project(listing.page), mpptSwitch: 0 };
      return Object.assign(
        { [key]: counts.project(listing.counts) } as { readonly [K in Key]: Counts },
        rest,
      );
    },
    text: (listing) =>
      `{"${key}":${counts.text(listing.counts)},"page":${inner.text(listing.page)},"mpptSwitch":0}`,
  };
};

/** A response whose data holds a page and nothing else. */
export const pageAlone = <R, Data>(
  record: RecordTable<R, Data>,
): Response<PageRecord<R>, { readonly page: WirePage<Data> }> => {
  const inner = page(record);
  return {
    schema: { type: 'object', properties: { page: inner.schema }, required: ['page'] },
    project: (output) => ({ page: inner.project(output) }),
    text: (output) => `{"page":${inner.text(output)}}`,
  };
};

/** A response whose data is null, since there is nothing to return. */
export const nothing: Response<void, null> = { schema: { type: 'null' }, project: () => null };

const newId: JsonSchema = {
  type: 'string',
  pattern: '^[0-9]{1,19}$',
  description: 'id of the new plant',
};

/** The answer of `addStation`. */
export const createdId: Response<{ readonly plantId: string }, { readonly id: string }> = {
  schema: { type: 'object', properties: { id: newId }, required: ['id'] },
  project: ({ plantId }) => ({ id: plantId }),
};

/** The answer of `addStationBindCollector`. */
export const createdIdText: Response<{ readonly plantId: string }, string> = {
  schema: newId,
  project: ({ plantId }) => plantId,
};

function pageSchema(items: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      records: { type: 'array', items },
      total: count('records on all pages'),
      size: count('records per page'),
      current: count('number of this page, starting at 1'),
      orders: {
        type: 'array',
        description: 'always empty: lists are ordered by id, alarms newest first',
      },
      optimizeCountSql: { type: 'boolean' },
      searchCount: { type: 'boolean' },
      pages: count('number of pages'),
    },
    required: ['records', 'total', 'size', 'current', 'pages'],
  };
}
