import { createClient, type Client } from '@helioport/sdk';
import { describe, expectTypeOf, test } from 'vitest';

const client: Client = createClient({ baseUrl: 'http://127.0.0.1:1', keyId: '1', keySecret: 's' });

describe('the types of the client', () => {
  test('know the operations and the names and kinds of their parameters', () => {
    expectTypeOf(client.call<'inverterDetail'>)
      .parameter(1)
      .toExtend<{ id?: string | number; sn?: string | number } | undefined>();
    expectTypeOf<{ sn: string }>().toExtend<
      NonNullable<Parameters<typeof client.call<'inverterDetail'>>[1]>
    >();
    expectTypeOf<{ pageNo: number; pageSize: string }>().toExtend<
      NonNullable<Parameters<typeof client.call<'userStationList'>>[1]>
    >();
    expectTypeOf<{ sn: boolean }>().not.toExtend<
      NonNullable<Parameters<typeof client.call<'inverterDetail'>>[1]>
    >();
    expectTypeOf<'inverterDetails'>().not.toExtend<Parameters<typeof client.call>[0]>();
  });

  test('know the data of the answers, and the records of lists', () => {
    type Detail = Awaited<ReturnType<typeof client.call<'inverterDetail'>>>;
    expectTypeOf<Detail['sn']>().toExtend<string | undefined>();
    expectTypeOf<Detail['sn']>().not.toBeAny();
    expectTypeOf<Detail['pac']>().toExtend<number | undefined>();
    type Listed =
      ReturnType<typeof client.all<'userStationList'>> extends AsyncGenerator<infer Item, void>
        ? Item
        : never;
    expectTypeOf<Listed['id']>().toExtend<string | undefined>();
    expectTypeOf<ReturnType<typeof client.all<'inverterDetail'>>>().toExtend<
      AsyncGenerator<never, void>
    >();
  });
});
