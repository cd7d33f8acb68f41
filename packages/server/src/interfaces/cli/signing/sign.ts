import { signRequest } from '@helioport/sdk';
import type { RegisterCommand } from '../context.ts';
import { CliUsageFault } from '../installation/faults.ts';
import { keyOf, withKeyOptions, type KeyOptions } from '../accounts/key-options.ts';
import { httpAddress, isSignedPath, signedPathOf } from './request-arguments.ts';
import { tableText } from '../table.ts';

interface SignOptions extends KeyOptions {
  url?: string;
  at?: string;
}

/** `helioport sign`: shows how a signature is made, part by part, and a curl command that uses it. */
export const registerSign: RegisterCommand = (program, context) => {
  const command = program
    .command('sign')
    .description('explain the signature of a request, part by part')
    .argument('<path>', 'path or operation, for example /v1/api/userStationList')
    .argument('[body]', 'the body exactly as it is sent', '{}')
    .option('--url <url>', 'address of the user-level interface; default: from the settings')
    .option('--at <time>', 'time of the signature, such as 2026-11-06T05:01:09Z; default: now');
  withKeyOptions(command).action((target: string, body: string, options: SignOptions) => {
    const path = signedPathOf(target);
    if (!isSignedPath(path)) context.note(`warning: no operation has the path ${path}`);
    const signed = signRequest({
      path,
      body,
      at: signedTimeOf(options.at) ?? context.clock.now(),
      ...keyOf(options, context),
    });
    const url = `${options.url === undefined ? context.config().userApiUrl : httpAddress(options.url, '--url')}${path}`;
    const { headers, stringToSign } = signed;
    const sign = headers.Authorization.slice(headers.Authorization.indexOf(':') + 1);
    const curl = curlOf(url, headers, body);
    context.print({ url, body, headers, stringToSign, sign, curl }, () => {
      const parts = [
        ['body', body],
        ['Content-MD5', `${headers['Content-MD5']}  (base64 of the 16 bytes of its MD5)`],
        ['Content-Type', headers['Content-Type']],
        ['Date', headers.Date],
        ['path', path],
        ['sign', `${sign}  (base64 of HMAC-SHA1 of the string to sign, keyed with the KeySecret)`],
      ];
      return [
        tableText(['part', 'value'], parts),
        `String to sign (␊ is one line feed, none at the end):\n${visible(stringToSign)}`,
        `Headers:\n${linesOf(headers)}`,
        `Command:\n${curl}`,
      ].join('\n\n');
    });
  });
};

/** The time given with `--at`, epoch milliseconds; undefined if none. Throws UsageFault. */
export function signedTimeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{13}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(at))
    throw new CliUsageFault(
      `${JSON.stringify(text)} is not a valid time; write it like 2026-11-06T05:01:09Z`,
    );
  return at;
}

const visible = (text: string): string => text.replaceAll('\n', '␊\n');

const linesOf = (headers: object): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curlOf = (url: string, headers: object, body: string): string =>
  [
    'curl',
    '-sS',
    quoted(url),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    '--data-binary',
    quoted(body),
  ].join(' ');
