import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language, PortalSession } from '@helioport/contract';
import { acceptedLanguages } from '../../../platform/kernel/accepted-languages.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { FirstAnswers } from './first-answers.ts';
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

/** Where the page wants the session as JSON, so that the app need not ask for it first. */
const SESSION_PLACEHOLDER = '"SESSION-OF-THIS-PAGE"';

/** Where the page wants the answers to what it would ask first, as JSON, after everything else. */
const ANSWERS_PLACEHOLDER = '"ANSWERS-OF-THIS-PAGE"';

/** What is sent along with a page; the page asks for whatever is undefined itself. */
export interface PageKnowledge {
  sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<PortalSession | undefined>;
  firstAnswersOf(
    request: FastifyRequest,
    reply: FastifyReply,
    session: PortalSession | undefined,
  ): Promise<FirstAnswers | undefined>;
}

const unbuilt: Front = {
  title: 'Helioport, portal',
  text: 'The portal has not been built yet. Build it with: npm run build',
  links: [],
};

/** Whether a folder holds a built app. */
export const hasApp = (folder: string): boolean => existsSync(join(folder, 'index.html'));

/** The files of a folder, read when they are first asked for, on pages that may load pictures from `mapTiles` as well; without a built app, a page that says how to build it. */
export function createAppFiles(
  folder: string,
  mapTiles: string | null,
  knowledge: PageKnowledge,
): AppFiles {
  const policy = policyOf(mapTiles);
  let files: ReadonlyMap<string, File> | undefined;
  return {
    async send(request, reply) {
      files ??= hasApp(folder) ? readFiles(folder) : undefined;
      const path = request.raw.url!.split('?', 1)[0]!;
      void reply.headers({ ...SAFETY, 'Content-Security-Policy': policy("'self'") });
      if (!files) {
        const answer = await frontAnswer(unbuilt, request.headers.accept);
        return reply.headers(answer.headers).send(answer.body);
      }
      const file = PAGES.test(path) ? undefined : files.get(path);
      if (file)
        return sendFile(
          request,
          reply,
          file,
          path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      if (path.startsWith(ASSETS)) throw new Failure('notFound');
      const page = files.get('/index.html')!;
      if (!page.body.includes(NONCE_PLACEHOLDER)) return sendFile(request, reply, page, 'no-cache');
      const session = await knowledge.sessionOf(request, reply);
      const answers = await knowledge.firstAnswersOf(request, reply, session);
      const language = languageOf(request, session);
      const template = (files.get(`/index.${language}.html`) ?? page).body.toString('utf8');
      return sendPage(reply, template, policy, { session, answers });
    },
  };
}

/** The app's page, also with hints at the texts of a language. */
const PAGES = /^\/index(\.[a-z]+)?\.html$/;

/** The language in which the app is likely to speak: the account's, else the one of ours that the browser wants most. */
const languageOf = ({ headers }: FastifyRequest, session: PortalSession | undefined): Language =>
  session?.account?.language ?? acceptedLanguages(headers['accept-language'])[0] ?? 'en';

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
  const images = mapTiles === null ? '' : ` ${new URL(mapTiles).origin}`;
  return (styles) =>
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src ${styles}`,
      `img-src 'self' data:${images}`,
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
      return [
        [
          `/${relative(folder, name).split(sep).join('/')}`,
          { body, type, etag, packed: packedOf(name) },
        ] as const,
      ];
    }),
  );
}

function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, type, etag, packed }: File,
  caching: string,
): FastifyReply {
  void reply.headers({
    'Content-Type': type,
    ETag: etag,
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
  });
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  const accepted = headers['accept-encoding'] ?? '';
  for (const encoding of ['br', 'gzip'] as const) {
    const smaller = packed[encoding];
    if (smaller && new RegExp(`\\b${encoding}\\b`).test(accepted))
      return reply.header('Content-Encoding', encoding).send(smaller);
  }
  return reply.send(body);
}

interface Preloaded {
  readonly session: PortalSession | undefined;
  readonly answers: FirstAnswers | undefined;
}

/** The app's page for one visit: with a nonce of its own, the session, and last the first answers, which the browser need not await to load what the page names. */
function sendPage(
  reply: FastifyReply,
  template: string,
  policy: Policy,
  { session, answers }: Preloaded,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  // Split before anything is put in: an account may have any name.
  const [first = '', last] = template
    .replaceAll(NONCE_PLACEHOLDER, nonce)
    .split(ANSWERS_PLACEHOLDER);
  const before = first.replace(SESSION_PLACEHOLDER, () =>
    withoutMarkup(JSON.stringify(session ?? null)),
  );
  void reply.headers({
    'Content-Type': TYPES['.html'],
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy(`'self' 'nonce-${nonce}'`),
  });
  if (last === undefined) return reply.send(before);
  return reply.send(
    answers ? Readable.from(inPieces(before, answers, last)) : `${before}null${last}`,
  );
}

async function* inPieces(
  before: string,
  answers: FirstAnswers,
  after: string,
): AsyncGenerator<string> {
  yield before;
  yield withoutMarkup(await answers());
  yield after;
}

/** A name that holds `</script>` must not end the block. */
const withoutMarkup = (json: string): string => json.replaceAll('<', String.raw`\u003c`);
