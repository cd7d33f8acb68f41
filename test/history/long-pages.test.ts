import { expect, test } from 'vitest';
import { listDevicesThere } from '../../packages/server/src/measurements/ingest/history/devices-there.ts';
import type { HistoryAccount } from '../../packages/server/src/measurements/ingest/history/account.ts';

test('of a page of devices, only as many are kept as were asked for, whatever another server sends', async () => {
  let asked = 0;
  const account = {
    ask: async (operation: string) => {
      asked += 1;
      const records = Array.from({ length: 5_000 }, (_, i) => ({
        sn: `${operation}-${asked}-${i}`,
        stationName: 'Barn',
      }));
      return { page: { records, pages: 3 } };
    },
  } as unknown as HistoryAccount;
  const found = await listDevicesThere(account);
  expect(asked).toBe(6);
  expect(found.size).toBe(600);
});
