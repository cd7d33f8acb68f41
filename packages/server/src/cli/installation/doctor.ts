import type { Register } from '../context.ts';
import { checks } from './doctor-checks.ts';
import { oauthChecks } from './doctor-oauth.ts';
import { explain } from '../signing/explain.ts';
import type { Finding } from './finding.ts';
import { table } from '../table.ts';

/** `helioport doctor`: looks at what usually goes wrong; exit code 1 when something does. */
export const registerDoctor: Register = (program, context) => {
  program
    .command('doctor')
    .description('check clock, data folder, database, master key and addresses')
    .action(async () => {
      const results: (Finding & { check: string })[] = [];
      for (const [check, look] of Object.entries({ ...checks, ...oauthChecks })) {
        // One after the other: later checks build on what earlier ones opened.
        const finding = await look(context).catch((error: unknown): Finding => ({ state: 'fault', text: explain(error).message }));
        results.push({ check, ...finding });
      }
      context.print(results, () =>
        table(
          ['check', 'state', ''],
          results.map(({ check, state, text }) => [check, state, text]),
        ),
      );
      if (results.some(({ state }) => state === 'fault')) context.fail();
    });
};
