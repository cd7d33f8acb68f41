import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import { frontAnswer, type Front } from '../http/front.ts';

/** The built app, as `npm run build` of @helioport/portal leaves it. */
export interface AppFiles {
  /** Answers with the file of a request's path, or with the app's page for a path within the app. Throws notFound. */
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

interface File {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
  /** The compressed versions that the build made. */
  readonly packed: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Files whose name changes with their content. */
const ASSETS = '/assets/';

/** Where the page wants a nonce for the styles that the app adds to it. */
const NONCE_PLACEHOLDER = 'NONCE-OF-THIS-PAGE';

const unbuilt: Front = {
  title: 'Helioport, portal',
  text: 'The portal has not been built yet. Build it with: npm run build --workspace @helioport/portal',
  links: [],
};

/** The files of a folder, read when they are first asked for, on pages that may load pictures from `mapTiles` as well; without a built app, a page that says how to build it. */
export function createAppFiles(folder: string, mapTiles: string | null): AppFiles {
  const policy = policyOf(mapTiles);
  let files: ReadonlyMap<string, File> | undefined;
  return {
    async send(request, reply) {
      files ??= existsSync(join(folder, 'index.html')) ? readFiles(folder) : undefined;
      const path = request.raw.url!.split('?', 1)[0]!;
      void reply.headers({ ...SAFETY, 'Content-Security-Policy': policy("'self'") });
      if (!files) {
        const answer = await frontAnswer(unbuilt, request.headers.accept);
        return reply.headers(answer.headers).send(answer.body);
      }
      const file = path === '/index.html' ? undefined : files.get(path);
      if (file) return sendFile(request, reply, file, path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (path.startsWith(ASSETS)) throw new Failure('notFound');
      return sendPage(request, reply, files.get('/index.html')!, policy);
    },
  };
}

const SAFETY = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The policy of pages whose styles come from `styles`. */
type Policy = (styles: string) => string;

/** Nothing from elsewhere but the map's tiles, and nothing inline; the pages may not be framed. */
function policyOf(mapTiles: string | null): Policy {
  const pictures = mapTiles === null ? '' : ` ${new URL(mapTiles).origin}`;
  return (styles) =>
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src ${styles}`,
      `img-src 'self' data:${pictures}`,
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; ');
}

function readFiles(folder: string): ReadonlyMap<string, File> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const present = new Set(names);
  const packedOf = (name: string): File['packed'] => ({
    ...(present.has(`${name}.br`) && { br: readFileSync(`${name}.br`) }),
    ...(present.has(`${name}.gz`) && { gzip: readFileSync(`${name}.gz`) }),
  });
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const body = readFileSync(name);
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      return [[`/${relative(folder, name).split(sep).join('/')}`, { body, type, etag, packed: packedOf(name) }] as const];
    }),
  );
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, { body, type, etag, packed }: File, caching: string): FastifyReply {
  void reply.headers({ 'Content-Type': type, ETag: etag, 'Cache-Control': caching, Vary: 'Accept-Encoding' });
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  const accepted = headers['accept-encoding'] ?? '';
  for (const encoding of ['br', 'gzip'] as const) {
    const smaller = packed[encoding];
    if (smaller && new RegExp(`\\b${encoding}\\b`).test(accepted)) return reply.header('Content-Encoding', encoding).send(smaller);
  }
  return reply.send(body);
}

/** The app's page, with a nonce of its own where it wants one. */
function sendPage(request: FastifyRequest, reply: FastifyReply, file: File, policy: Policy): FastifyReply {
  if (!file.body.includes(NONCE_PLACEHOLDER)) return sendFile(request, reply, file, 'no-cache');
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({ 'Content-Type': file.type, 'Cache-Control': 'no-store', 'Content-Security-Policy': policy(`'self' 'nonce-${nonce}'`) })
    .send(file.body.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce));
}
