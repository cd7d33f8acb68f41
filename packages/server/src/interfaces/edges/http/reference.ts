import type { ReferencePage } from '@helioport/reference';
import { guides } from '@helioport/reference/guides';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { lazily } from '../../../platform/kernel/lazily.ts';
import { policyOf } from './content-policy.ts';
import { JSON_TYPE } from './errors.ts';

/** An interface's description of itself, created on first request. */
export interface Reference {
  /** The OpenAPI document. */
  readonly document: () => Promise<object>;
  readonly page: () => Promise<ReferencePage>;
}

/** A file ready to be sent. */
interface Rendered {
  readonly body: Buffer;
  readonly zipped: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

const FROM_MEMORY = { config: { limit: { not: 'a page from memory, made once' } } } as const;

/** Serves GET /openapi.json, GET /reference, its guides, and all operations as Markdown, which are public and self-contained. */
export function mountReference(server: FastifyInstance, { document, page }: Reference): void {
  const serve = (path: string, render: () => Promise<Rendered>): void => {
    const rendered = lazily(render);
    server.get(path, FROM_MEMORY, async (request, reply) => send(request, reply, await rendered()));
  };
  serve('/openapi.json', async () =>
    rendering(JSON.stringify(await document()), {
      'Content-Type': JSON_TYPE,
      'Access-Control-Allow-Origin': '*',
    }),
  );
  serve('/reference', async () => renderingOf(await page()));
  serve('/reference/operations.md', async () => {
    const [{ operationsPage }, { operations }] = await Promise.all([
      import('@helioport/reference'),
      import('@helioport/contract'),
    ]);
    return rendering(operationsPage(Object.values(operations)), {
      'Content-Type': 'text/markdown; charset=utf-8',
    });
  });
  for (const { name } of guides)
    serve(`/reference/guides/${name}`, async () =>
      renderingOf((await import('@helioport/reference')).guidePage(name)),
    );
}

const renderingOf = (page: ReferencePage): Rendered =>
  rendering(page.html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(page),
  });

function rendering(text: string, headers: Readonly<Record<string, string>>): Rendered {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, zipped: gzipSync(body), etag, headers };
}

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, zipped, etag, headers: own }: Rendered,
): FastifyReply {
  void reply.headers({
    ...own,
    ETag: etag,
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(body);
  return reply.header('Content-Encoding', 'gzip').send(zipped);
}
