import {
  createClient,
  HelioportError,
  signatureOf,
  type Client,
  type ClientOptions,
} from '@helioport/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCaller } from '../../packages/sdk/src/caller.ts';
import { refusal, startApiDouble, success, type ApiDouble } from './api-double.ts';

const KEY = { keyId: '1300386381676644416', keySecret: '0123456789abcdef0123456789abcdef' };
const NOW = Date.parse('2026-11-20T12:00:00Z');

let api: ApiDouble;
let pauses: number[];
let client: Client;
const make = (options: Partial<ClientOptions> = {}): Client =>
  createClient({
    baseUrl: api.url,
    ...KEY,
    clock: { now: () => NOW },
    pause: async (ms) => void pauses.push(ms),
    ...options,
  });
/** A write as the client makes it, whatever operations the contract has. */
const write = (baseUrl = api.url): Promise<unknown> => {
  const line = {
    baseUrl,
    retries: 3,
    clock: { now: () => NOW },
    pause: async (ms: number) => void pauses.push(ms),
    fetch,
  };
  const call = createCaller({
    ...line,
    authorize: ({ at }) => ({ headers: { date: new Date(at).toUTCString() } }),
  });
  return call({ operation: 'change', path: '/v1/api/change', write: true, request: { id: '1' } });
};
const failureOf = (call: Promise<unknown>): Promise<HelioportError> =>
  call.then(
    () => expect.unreachable('the call should fail'),
    (error: unknown) => error as HelioportError,
  );

beforeEach(async () => {
  api = await startApiDouble();
  pauses = [];
  client = make();
});
afterEach(() => api.close());

describe('a call', () => {
  test('is signed over what is sent and resolves with the data of the envelope', async () => {
    api.answers.push(() => ({ body: success({ sn: 'A1' }) }));
    expect(await client.call('inverterDetail', { sn: 'A1' })).toEqual({ sn: 'A1' });
    const [{ path, headers, body }] = api.calls as [ApiDouble['calls'][0]];
    expect([path, body]).toEqual(['/v1/api/inverterDetail', { sn: 'A1' }]);
    expect(headers).toMatchObject({
      'content-type': 'application/json;charset=UTF-8',
      date: 'Fri, 20 Nov 2026 12:00:00 GMT',
    });
    const signed = `POST\n${headers['content-md5'] as string}\napplication/json;charset=UTF-8\n${headers.date}\n/v1/api/inverterDetail`;
    expect(headers.authorization).toBe(`API ${KEY.keyId}:${signatureOf(KEY.keySecret, signed)}`);
  });

  test('without a request sends an empty object, also behind a base address with a slash at its end', async () => {
    await make({ baseUrl: `${api.url}/` }).call('userStationList');
    expect(api.calls[0]).toMatchObject({ path: '/v1/api/userStationList', body: {} });
  });
});

describe('a client', () => {
  test('is not made for what is no address', () => {
    expect(() => make({ baseUrl: 'solar.example' })).toThrow('not a URL: solar.example');
  });
});

describe('a refusal', () => {
  test('becomes an error with all that is known of it', async () => {
    api.answers.push(() => ({
      body: refusal('R0000', 'no permission'),
      headers: { 'x-request-id': 'req-7' },
    }));
    const error = await failureOf(client.call('inverterDetail', { sn: 'B' }));
    expect(error).toBeInstanceOf(HelioportError);
    expect(error).toMatchObject({
      operation: 'inverterDetail',
      status: 200,
      code: 'R0000',
      data: null,
      requestId: 'req-7',
    });
    expect(error.message).toContain('no permission');
    expect(error.hint).toContain('Check the id');
  });

  test('of a signature says which line of the string to sign differs', async () => {
    api.answers.push(({ headers }) => ({
      status: 403,
      body: refusal('403', 'wrong sign', {
        stringToSign: `POST\n${headers['content-md5'] as string}\napplication/json;charset=UTF-8\n${headers.date}\n/api/v1/api/inverterDetail`,
      }),
    }));
    const { hint } = await failureOf(client.call('inverterDetail', { sn: 'B' }));
    expect(hint).toBe(
      'The strings to sign differ in line 5 (the path): signed "/v1/api/inverterDetail", the server has "/api/v1/api/inverterDetail"',
    );
  });

  test('of a signature over the same string blames the key', async () => {
    api.answers.push(({ headers, path }) => ({
      status: 403,
      body: refusal('403', 'wrong sign', {
        stringToSign: `POST\n${headers['content-md5'] as string}\napplication/json;charset=UTF-8\n${headers.date}\n${path}`,
      }),
    }));
    expect((await failureOf(client.call('inverterDetail'))).hint).toBe(
      'Both sides signed the same string, so the KeyID or the KeySecret is wrong',
    );
  });

  test('with HTTP 200 and success:true is still one: only the code counts', async () => {
    api.answers.push(() => ({ body: { success: true, code: 'B0115', msg: 'busy', data: null } }));
    expect((await failureOf(client.call('inverterDetail'))).code).toBe('B0115');
  });

  test('that is no envelope shows what came instead', async () => {
    api.answers.push(() => ({ status: 404, body: '<html>nothing here</html>' }));
    expect(await failureOf(client.call('inverterDetail'))).toMatchObject({
      status: 404,
      code: 'protocol',
      message: expect.stringContaining('nothing here'),
    });
  });
});

describe('a clock that is wrong', () => {
  const serverNow = NOW + 3_600_000;
  const skewed =
    (data: unknown, headers: Record<string, string> = {}) =>
    () => ({ status: 408, body: refusal('408', 'too far', data), headers });

  test.each([
    ['the answer’s serverTime', { serverTime: serverNow }, {}],
    ['a serverTime in text', { serverTime: new Date(serverNow).toUTCString() }, {}],
    ['its Date header', null, { date: new Date(serverNow).toUTCString() }],
  ])('is corrected from %s, once, and stays corrected', async (_, data, headers) => {
    api.answers.push(skewed(data, headers));
    await client.call('inverterDetail');
    await client.call('inverterDetail');
    expect(api.calls.map((call) => call.headers.date)).toEqual([
      'Fri, 20 Nov 2026 12:00:00 GMT',
      'Fri, 20 Nov 2026 13:00:00 GMT',
      'Fri, 20 Nov 2026 13:00:00 GMT',
    ]);
    expect(pauses).toEqual([]);
  });

  test('that is refused again after the correction fails', async () => {
    api.answers.push(skewed({ serverTime: serverNow }), skewed({ serverTime: serverNow }));
    expect((await failureOf(client.call('inverterDetail'))).code).toBe('408');
    expect(api.calls).toHaveLength(2);
  });

  test('is not blamed for a 408 that comes with this very time', async () => {
    api.answers.push(skewed(null, { date: new Date(NOW).toUTCString() }));
    expect((await failureOf(client.call('inverterDetail'))).code).toBe('408');
    expect(api.calls).toHaveLength(1);
  });

  test('is corrected for writes too: the server refused before it acted', async () => {
    api.answers.push(skewed({ serverTime: serverNow }));
    await write();
    expect(api.calls.map((call) => call.headers.date)).toEqual([
      'Fri, 20 Nov 2026 12:00:00 GMT',
      'Fri, 20 Nov 2026 13:00:00 GMT',
    ]);
  });
});

describe('a repetition', () => {
  test.each([429, 502, 503, 504])(
    'of a read follows HTTP %i, with growing pauses, and is signed anew',
    async (status) => {
      api.answers.push(
        () => ({ status, body: refusal(String(status), 'later') }),
        () => ({ status, body: 'a page of a proxy' }),
      );
      let now = NOW;
      await make({ clock: { now: () => (now += 1000) } }).call('userStationList');
      expect(api.calls).toHaveLength(3);
      expect(new Set(api.calls.map((call) => call.headers.authorization)).size).toBe(3);
      expect(pauses[0]).toBeGreaterThanOrEqual(125);
      expect(pauses[0]).toBeLessThanOrEqual(250);
      expect(pauses[1]).toBeGreaterThanOrEqual(250);
      expect(pauses[1]).toBeLessThanOrEqual(500);
    },
  );

  test('waits as long as Retry-After says, in seconds or as a time', async () => {
    const answer = (retryAfter: string) => () => ({
      status: 429,
      body: refusal('429', 'later'),
      headers: { 'retry-after': retryAfter },
    });
    api.answers.push(answer('2'), answer('Fri, 20 Nov 2026 12:00:05 GMT'));
    await client.call('userStationList');
    expect(pauses).toEqual([2000, 5000]);
  });

  test('is left to the caller when Retry-After asks for more than a minute', async () => {
    api.answers.push(() => ({
      status: 503,
      body: refusal('503', 'later'),
      headers: { 'retry-after': '3600' },
    }));
    expect((await failureOf(client.call('userStationList'))).status).toBe(503);
    expect(api.calls).toHaveLength(1);
  });

  test('ends after the allowed number and reports the last failure', async () => {
    api.answers.push(
      ...Array.from({ length: 9 }, () => () => ({ status: 503, body: refusal('503', 'later') })),
    );
    expect((await failureOf(client.call('userStationList'))).code).toBe('503');
    expect(api.calls).toHaveLength(4);
  });

  test('of a read follows a connection that broke', async () => {
    api.answers.push(() => 'cut');
    await client.call('userStationList');
    expect(api.calls).toHaveLength(2);
  });

  test.each([
    ['a connection that broke', 'cut' as const],
    ['HTTP 502', { status: 502, body: 'bad gateway' }],
    ['HTTP 503', { status: 503, body: refusal('503', 'later') }],
  ])('of a write never follows %s: it may have been carried out', async (_, answer) => {
    api.answers.push(() => answer);
    await failureOf(write());
    expect(api.calls).toHaveLength(1);
  });

  test('of a write follows HTTP 429: the server limits before it acts', async () => {
    api.answers.push(() => ({
      status: 429,
      body: refusal('429', 'later'),
      headers: { 'retry-after': '1' },
    }));
    await write();
    expect(api.calls).toHaveLength(2);
  });

  test('of a write follows a connection that was never made', async () => {
    const { url } = api;
    await api.close();
    const error = await failureOf(write(url));
    expect(error).toMatchObject({ status: 0, code: 'network' });
    expect(pauses).toHaveLength(3);
    api = await startApiDouble();
  });

  test.each([400, 401, 403, 404, 409, 500])('never follows HTTP %i', async (status) => {
    api.answers.push(() => ({ status, body: refusal(String(status), 'no') }));
    expect((await failureOf(client.call('userStationList'))).status).toBe(status);
    expect(api.calls).toHaveLength(1);
  });
});

describe('an end', () => {
  test('of patience: an attempt without an answer in time fails as timeout', async () => {
    api.answers.push(() => 'silence');
    const error = await failureOf(
      make({ retries: 0 }).call('userStationList', {}, { timeoutMs: 50 }),
    );
    expect(error).toMatchObject({ status: 0, code: 'timeout' });
  });

  test('by the caller: the call rejects with the reason of the signal and is not repeated', async () => {
    const abort = new AbortController();
    api.answers.push(() => {
      abort.abort(new Error('changed my mind'));
      return 'silence';
    });
    await expect(client.call('userStationList', {}, { signal: abort.signal })).rejects.toThrow(
      'changed my mind',
    );
    expect(api.calls).toHaveLength(1);
  });

  test('by the caller while it waits for the next attempt', async () => {
    const abort = new AbortController();
    api.answers.push(() => {
      setImmediate(() => abort.abort(new Error('enough')));
      return { status: 503, body: refusal('503', 'later'), headers: { 'retry-after': '60' } };
    });
    const patient = createClient({ baseUrl: api.url, ...KEY });
    await expect(patient.call('userStationList', {}, { signal: abort.signal })).rejects.toThrow(
      'enough',
    );
  });
});

describe('pages', () => {
  const records = Array.from({ length: 45 }, (_, i) => ({ id: String(i) }));
  const pageOf = (pageNo: number, pageSize: number) => ({
    records: records.slice((pageNo - 1) * pageSize, pageNo * pageSize),
    total: records.length,
    size: pageSize,
    current: pageNo,
    pages: Math.ceil(records.length / pageSize),
  });
  const serve = (wrap: (page: object) => object) =>
    api.answers.push(
      ...Array.from({ length: 9 }, () => ({ body }: ApiDouble['calls'][0]) => {
        const { pageNo = 1, pageSize = 20 } = body as { pageNo?: number; pageSize?: number };
        return { body: success(wrap(pageOf(pageNo, pageSize))) };
      }),
    );

  test.each([
    ['in an object beside status counters', (page: object) => ({ page, stationStatusVo: {} })],
    ['as the data itself', (page: object) => page],
  ])('that come %s are gone through to the last one', async (_, wrap) => {
    serve(wrap);
    const ids: string[] = [];
    for await (const record of client.all('userStationList', { pageSize: 20 }))
      ids.push((record as { id: string }).id);
    expect(ids).toEqual(records.map(({ id }) => id));
    expect(api.calls.map(({ body }) => body)).toEqual(
      [1, 2, 3].map((pageNo) => ({ pageSize: 20, pageNo })),
    );
  });

  test('start where the caller wants and stop when the caller stops', async () => {
    serve((page) => ({ page }));
    for await (const page of client.pages('userStationList', { pageNo: 2, pageSize: 10 })) {
      expect(page).toMatchObject({ current: 2, pages: 5, total: 45 });
      break;
    }
    expect(api.calls).toHaveLength(1);
  });

  test('of an operation that has none are refused', async () => {
    api.answers.push(() => ({ body: success({ sn: 'A' }) }));
    await expect(client.all('inverterDetail' as never).next()).rejects.toThrow(
      'does not return pages',
    );
  });
});

describe('control', () => {
  const item = (state: string, more: object = {}) => ({
    code: 0,
    msg: `INV-1: ${state}`,
    sn: 'INV-1',
    state,
    orderId: '1_2',
    ...more,
  });
  const answer = (data: unknown) => api.answers.push(() => ({ body: success(data) }));
  const set = () => client.control({ sn: 'INV-1', parameter: 157, value: '20', oldValue: '30' });

  test('asks until the device was read back, and resolves then', async () => {
    for (const data of [[item('sent', { code: 1 })], null, [item('confirmed')], [item('verified')]])
      answer(data);
    expect(await set()).toEqual({ sn: 'INV-1', orderId: '1_2' });
    expect(api.calls.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/api/control', { inverterSn: 'INV-1', cid: 157, value: '20', yuanzhi: '30' }],
      ...Array.from({ length: 3 }, () => ['/v1/api/result', { orderId: '1_2' }]),
    ]);
    expect(pauses).toEqual([1_000, 1_000, 1_000]);
  });

  test('of what the device has already is done at once', async () => {
    answer([item('verified')]);
    await set();
    expect(api.calls.length).toBe(1);
  });

  test.each([
    ['cancelled', 1],
    ['refused', 1],
    ['expired', 1],
    ['superseded', 1],
    ['failed', 'B0600'],
    ['offline', 'B0115'],
  ])('that ends as %s rejects, with the code %s and the reason', async (state, code) => {
    answer([item('confirmed')]);
    answer([item(state, { code })]);
    const error = await failureOf(set());
    expect(error).toMatchObject({ operation: 'control', code: String(code), data: { state } });
    expect(error.message).toContain(`INV-1: ${state}`);
  });

  test('that is refused rejects with the refusal, and one that breaks off is not repeated', async () => {
    api.answers.push(() => ({ body: refusal('B0124', 'the device does not exist') }));
    expect(await failureOf(set())).toMatchObject({ code: 'B0124' });
    api.answers.push(() => 'cut');
    expect(await failureOf(set())).toMatchObject({ code: 'network' });
    expect(api.calls.length).toBe(2);
  });

  test('stops when asked to, also between two looks', async () => {
    const stop = new AbortController();
    answer([item('sent')]);
    const waiting = make({ pause: async () => stop.abort(new Error('enough')) }).control(
      { sn: 'INV-1', parameter: '157', value: 20 },
      { signal: stop.signal },
    );
    expect((await failureOf(waiting)).message).toBe('enough');
  });
});
