import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oauthErrors } from '@helioport/contract';
import { expect, test } from 'vitest';

test('every refusal is described in the characters that RFC 6749 allows', () => {
  for (const { description } of Object.values(oauthErrors))
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

test('every refusal can happen: its name stands somewhere in the server', () => {
  const folder = join(import.meta.dirname, '../../packages/server/src');
  const server = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  expect(Object.keys(oauthErrors).filter((name) => !server.includes(`'${name}'`))).toEqual([]);
});
