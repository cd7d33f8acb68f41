import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Envelope } from '@helioport/contract';
import { describeEngines } from '../support/engines.ts';
import { startServer, type RunningServer } from './running-server.ts';

/** How a client in the field writes its requests: what it sends, and what it hashes and signs. */
interface Habit {
  /** The header that it sends; it signs `application/json` all the same. */
  contentType: string;
  send(request: object): string;
  hash(request: object): string;
  date(at: Date): string;
  /** In front of the path. */
  slash?: string;
  chunked?: boolean;
}

const compact = (request: object): string => JSON.stringify(request);
/** Python's json.dumps for flat objects. */
const spaced = (request: object): string =>
  `{${Object.entries(request)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ')}}`;
const padded = (at: Date): string => at.toUTCString();
const unpadded = (at: Date): string => at.toUTCString().replace(/\b0(\d)/g, '$1');

const usual: Habit = {
  contentType: 'application/json',
  send: compact,
  hash: compact,
  date: padded,
};

// interface S13 to S15
const clients: Record<string, Habit> = {
  'an uploader and a Node client': usual,
  'a home-automation integration on plain aiohttp: spaced body, digest of the compact one': {
    ...usual,
    send: spaced,
  },
  'a control integration inside home automation: compact body, digest of the spaced one': {
    ...usual,
    hash: spaced,
  },
  'a battery scheduler and a control script: spaced throughout': {
    ...usual,
    send: spaced,
    hash: spaced,
  },
  'an adapter: charset in the header alone, nothing padded in the date': {
    ...usual,
    contentType: 'application/json;charset=UTF-8',
    date: unpadded,
  },
  'a C# client: StringContent’s header': {
    ...usual,
    contentType: 'application/json; charset=utf-8',
  },
  'a Go client: RFC 1123 in UTC': {
    ...usual,
    contentType: 'application/json;charset=UTF-8',
    date: (at) => padded(at).replace('GMT', 'UTC'),
  },
  'a Rust client: numeric zone, lower-case charset': {
    ...usual,
    contentType: 'application/json;charset=utf-8',
    date: (at) => padded(at).replace('GMT', '+0000'),
  },
  'a client whose base address ends in a slash': { ...usual, slash: '/' },
  'a dashboard module: chunks without a length': { ...usual, chunked: true },
};

describeEngines('existing clients', (database) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(database(), { HELIOPORT_RATE_LIMIT: 'off' });
  });
  afterAll(() => server.stop());

  async function call(
    { contentType, send, hash, date, slash = '', chunked }: Habit,
    operation: string,
    request: object,
  ): Promise<Envelope> {
    const { keyId, keySecret } = server.demo;
    const path = `/v1/api/${operation}`;
    const contentMd5 = createHash('md5').update(hash(request)).digest('base64');
    const when = date(new Date());
    const sign = createHmac('sha1', keySecret)
      .update(`POST\n${contentMd5}\napplication/json\n${when}\n${path}`)
      .digest('base64');
    const body = Buffer.from(send(request));
    const headers = {
      'Content-MD5': contentMd5,
      'Content-Type': contentType,
      Date: when,
      Authorization: `API ${keyId}:${sign}`,
      ...(!chunked && { 'Content-Length': body.length }),
    };
    return new Promise((resolve, reject) => {
      httpRequest(
        `${server.baseUrl}${slash}${path}`,
        { method: 'POST', headers },
        (response) => void json(response).then((value) => resolve(value as Envelope), reject),
      )
        .once('error', reject)
        .end(body);
    });
  }

  test.each(Object.entries(clients))('work unchanged: %s', async (_, habit) => {
    const list = await call(habit, 'userStationList', { pageNo: '1', pageSize: 100 });
    expect(list).toMatchObject({ success: true, code: '0', data: { page: { total: 4 } } });
    const { sn } = server.demo.plants[0]!.specification.inverters[0]!;
    const detail = await call(habit, 'inverterDetail', { id: '', sn });
    expect(detail).toMatchObject({
      code: '0',
      data: {
        sn,
        stationName: 'House in Berlin',
        dataTimestamp: expect.stringMatching(/^\d{13}$/),
        hmiVersionAll: expect.any(String),
      },
    });
  });
});
