import { createClient, HelioportError } from '@helioport/sdk';
import { answerTable } from './answer-table.ts';
import type { RegisterCommand } from '../context.ts';
import { CliCommandFault } from '../installation/faults.ts';
import { keyOf, withKeyOptions, type KeyOptions } from '../accounts/key-options.ts';
import { httpAddress, jsonObject, operationNamed } from './request-arguments.ts';

/** `helioport call`: makes a signed call and shows the answer's data. */
export const registerCall: RegisterCommand = (program, context) => {
  const call = program
    .command('call')
    .description('make a signed call')
    .argument('<operation>', 'operation, for example userStationList')
    .argument('[json]', 'the request, as JSON', '{}')
    .option('--url <url>', 'address of the user-level interface; default: from the settings');
  withKeyOptions(call).action(
    async (name: string, json: string, options: KeyOptions & { url?: string }) => {
      const operation = operationNamed(name);
      const request = jsonObject(json);
      const baseUrl =
        options.url === undefined ? context.config().userApiUrl : httpAddress(options.url, '--url');
      const client = createClient({ baseUrl, ...keyOf(options, context), clock: context.clock });
      const data = await client.call(operation, request).catch((error: unknown) => {
        throw error instanceof HelioportError ? new CliCommandFault(error.message) : error;
      });
      context.print(data, () => answerTable(data));
    },
  );
};
