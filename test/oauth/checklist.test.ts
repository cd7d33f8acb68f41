import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oauthErrors } from '@helioport/contract';
import { expect, test } from 'vitest';

const LINES = 76;

const sources = [import.meta.dirname, join(import.meta.dirname, '../prove')].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(test|prove)\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8')),
);

test('every line of the OAuth checklist has a test that names it', () => {
  const named = new Set(sources.flatMap((text) => [...text.matchAll(/\(checklist ([\d, ]+)\)/g)].flatMap(([, numbers]) => numbers!.split(',').map(Number))));
  const missing = Array.from({ length: LINES }, (_, i) => i + 1).filter((line) => !named.has(line));
  expect(missing).toEqual([]);
});

test('every refusal is described in the characters that RFC 6749 allows', () => {
  for (const { description } of Object.values(oauthErrors)) expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

test('every refusal can happen: its name stands somewhere in the server', () => {
  const folder = join(import.meta.dirname, '../../packages/server/src');
  const server = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  expect(Object.keys(oauthErrors).filter((name) => !server.includes(`'${name}'`))).toEqual([]);
});
