// CPU time of the parts of one request, each measured separately in this process.
import { operations, readSignedDate } from '@helioport/contract';
import {
  callerOfKey,
  findNearestSigningKey,
} from '../../packages/server/src/identity/accounts/signing-key.ts';
import { bodyMd5 } from '../../packages/server/src/interfaces/edges/user-api/content-digest.ts';
import {
  isSignedWith,
  parseAuthorization,
} from '../../packages/server/src/interfaces/edges/user-api/signature.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import {
  BODY,
  handlersOf,
  PATH,
  secretBox,
  signedHeaders,
  type Statement,
} from './installation.ts';

const CALLS = 4000;

/** The names of the parts, in the order of a request. */
export const PHASES = [
  'key looked up',
  'KeySecret opened',
  'date, signature, digest',
  'operation',
  'of which its statements',
  'answer written as JSON',
] as const;

export interface Phase {
  readonly name: (typeof PHASES)[number];
  readonly cpuMicroseconds: number;
}

export async function measurePhases(
  address: string,
  { keyId, keySecret }: { keyId: string; keySecret: string },
  statements: readonly Statement[],
): Promise<Phase[]> {
  const { db, close } = openStorage(address);
  const key = (await findNearestSigningKey(db, keyId))!;
  const { userStationList } = handlersOf(db);
  const list = () => userStationList(callerOfKey(key), { pageNo: 1, pageSize: 100 } as never);
  const output = await list();
  const {
    'Content-MD5': md5,
    'Content-Type': contentType,
    Date: date,
    Authorization: authorization,
  } = signedHeaders({ keyId, keySecret });
  const body = Buffer.from(BODY);
  const run = async () => {
    for (const { sql, parameters } of statements)
      await db.executeQuery({ sql, parameters, query: { kind: 'SelectQueryNode' } } as never);
  };
  const phases = [
    await phase('of which its statements', run),
    await phase('key looked up', () => findNearestSigningKey(db, keyId)),
    await phase('KeySecret opened', () => secretBox.open(key.secret, key.id)),
    await phase('date, signature, digest', () => {
      readSignedDate(date!, 'compatible');
      bodyMd5(body);
      return isSignedWith(
        keySecret,
        { contentMd5: md5!, contentType: contentType!, date: date!, path: PATH },
        parseAuthorization(authorization!)!.digest,
        'compatible',
      );
    }),
    await phase('operation', list),
    await phase('answer written as JSON', () => operations.userStationList.response.text!(output)),
  ];
  await close();
  return phases;
}

async function phase(name: Phase['name'], work: () => unknown): Promise<Phase> {
  for (let i = 0; i < CALLS; i++) await work();
  const before = process.cpuUsage();
  for (let i = 0; i < CALLS; i++) await work();
  const { user, system } = process.cpuUsage(before);
  return { name, cpuMicroseconds: (user + system) / CALLS };
}
