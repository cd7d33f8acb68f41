import { readFileSync } from 'node:fs';
import { readHttp, Unreadable, valueOf, type ReadRequest } from '@helioport/sdk/diagnosis';
import { readNamedFile } from '../../../platform/kernel/files/read-file.ts';
import { parseAuthorization } from '../../edges/user-api/signature.ts';
import type { CliContext, RegisterCommand } from '../context.ts';
import { CliCommandFault, CliUsageFault } from '../installation/faults.ts';
import { keyOf, secretOf, withKeyOptions, type KeyOptions } from '../accounts/key-options.ts';
import { signedTimeOf } from './sign.ts';
import { tableText } from '../table.ts';
import { verifyChecks } from './verify-checks.ts';

interface VerifyOptions extends KeyOptions {
  at?: string;
}

/** `helioport verify`: says which check of the signed interface a captured request fails, and why. */
export const registerVerify: RegisterCommand = (program, context) => {
  const verify = program
    .command('verify')
    .description('check the signature of a captured request, step by step')
    .argument('[file]', 'the request as it was sent; - reads standard input', '-')
    .option(
      '--at <time>',
      'time of the server when the request arrived, such as 2026-11-06T05:01:09Z; default: now',
    );
  withKeyOptions(verify).action((file: string, options: VerifyOptions) => {
    if (file === '-' && options.keySecret === '-')
      throw new CliUsageFault('standard input can hold the request or the KeySecret, not both');
    const request = requestIn(read(file));
    const { signatureProfile: profile } = context.config();
    const expectations = {
      keySecret: secretFor(request, options, context),
      profile,
      now: signedTimeOf(options.at) ?? context.clock.now(),
    };
    const findings = Object.entries(verifyChecks).map(([check, look]) => {
      const finding = look(request, expectations);
      return 'found' in finding
        ? { check, ok: true, text: finding.found }
        : { check, ok: false, text: finding.problem };
    });
    const failed = findings.find(({ ok }) => !ok);
    context.print({ ok: !failed, failedCheck: failed?.check ?? null, checks: findings }, () =>
      [
        tableText(
          ['check', '', ''],
          findings.map(({ check, ok, text }) => [check, ok ? 'ok' : 'FAILS', text]),
        ),
        verdictOf(request, failed?.check),
      ].join('\n\n'),
    );
    if (failed) context.fail();
  });
};

function read(file: string): Buffer {
  try {
    return file === '-' ? readFileSync(0) : readNamedFile(file);
  } catch (error) {
    throw new CliCommandFault(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function requestIn(capture: Buffer): ReadRequest {
  try {
    return readHttp(capture);
  } catch (error) {
    throw error instanceof Unreadable ? new CliUsageFault(error.message) : error;
  }
}

/** The secret that was given, or the demo's if the request names the demo's KeyID. */
function secretFor(
  { rawHeaders }: ReadRequest,
  options: VerifyOptions,
  context: CliContext,
): string {
  const given = secretOf(options, context);
  if (given !== undefined) return given;
  const keyId = parseAuthorization(valueOf(rawHeaders, 'authorization') ?? '')?.keyId;
  return keyOf({ ...options, ...(keyId !== undefined && { keyId }) }, context).keySecret;
}

function verdictOf({ surplus }: ReadRequest, failed: string | undefined): string {
  const remark = surplus > 0 ? ` ${surplus} bytes beyond Content-Length were ignored.` : '';
  return (
    (failed === undefined
      ? 'The server accepts the signature; only the server can check the state of the key and its rate limit.'
      : `The server refuses the request at this check: ${failed}.`) + remark
  );
}
