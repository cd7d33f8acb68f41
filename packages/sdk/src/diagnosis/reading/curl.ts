import { utf8 } from '../bytes.ts';
import { valueOf, type CapturedRequest } from '../captured-request.ts';
import { headersOf } from './http.ts';
import { shellWords } from './shell-words.ts';
import { targetOf } from './target.ts';
import { Unreadable } from './unreadable.ts';

/** Options of curl that take a value, in both spellings, and matter here. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['X', 'request'],
  ['H', 'header'],
  ['d', 'data'],
  ['data-raw', 'data'],
  ['data-ascii', 'data'],
  ['data-binary', 'data'],
]);

/** Options of curl that take a value and do not matter here, so that it is not taken for the address. */
const OTHERS =
  'A u b c e o w m x F T E r t y z U K D connect-timeout max-time user user-agent cookie cookie-jar referer output write-out proxy cacert cert key retry resolve'.split(
    ' ',
  );

/** Reads a curl command in the quoting of a POSIX shell, of cmd or of PowerShell. Throws Unreadable. */
export function readCurl(command: string): CapturedRequest {
  const [, ...words] = shellWords(command.trim());
  const given: Record<'request' | 'header' | 'data' | 'json' | 'url', string[]> = {
    request: [],
    header: [],
    data: [],
    json: [],
    url: [],
  };
  for (let i = 0; i < words.length; i++) {
    const { name, value } = optionOf(words[i]!);
    if (name === undefined) {
      given.url.push(words[i]!);
      continue;
    }
    const known = NAMES.get(name) ?? name;
    if (Object.hasOwn(given, known))
      given[known as keyof typeof given].push(value ?? words[++i] ?? '');
    else if (OTHERS.includes(name) && value === undefined) i++;
  }
  const data = [...given.data, ...given.json];
  const file = data.find((text) => text.startsWith('@'));
  if (file !== undefined) throw new Unreadable('bodyInFile', file);
  const [url] = given.url;
  if (url === undefined) throw new Unreadable('noAddress');
  const headers = given.header
    .filter((line) => !/^[^:]+:\s*$/.test(line))
    .map((line) => (line.endsWith(';') && !line.includes(':') ? `${line.slice(0, -1)}:` : line));
  const rawHeaders = headersOf(headers);
  // What curl itself adds to a body.
  if (data.length > 0 && valueOf(rawHeaders, 'content-type') === undefined)
    rawHeaders.push(
      'Content-Type',
      given.json.length > 0 ? 'application/json' : 'application/x-www-form-urlencoded',
    );
  const method = given.request[0] ?? (data.length > 0 ? 'POST' : 'GET');
  return { method, target: targetOf(url), rawHeaders, body: utf8(data.join('&')) };
}

function optionOf(word: string): { name?: string; value?: string } {
  const long = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(word);
  if (long) return { name: long[1]!, ...(long[2] !== undefined && { value: long[2] }) };
  // Letters without values may stand before one with a value, as in `-sSXPOST`.
  const short = /^-([a-zA-Z#]+)(.*)$/s.exec(word);
  if (!short) return {};
  const letters = word.slice(1);
  const at = [...letters].findIndex((letter) => NAMES.has(letter) || OTHERS.includes(letter));
  if (at < 0) return { name: letters };
  const value = letters.slice(at + 1);
  return { name: letters[at]!, ...(value !== '' && { value }) };
}
