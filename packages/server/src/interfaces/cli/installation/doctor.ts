import type { RegisterCommand } from '../context.ts';
import { checkBackups } from './doctor-backup.ts';
import { checks } from './doctor-checks.ts';
import { checkCertificate } from './doctor-certificate.ts';
import { checkEvents } from './doctor-events.ts';
import { checkMail } from './doctor-mail.ts';
import { checkBroker, checkPortal } from './doctor-listeners.ts';
import { checkCounters, repairCounters } from './doctor-counters.ts';
import { checkGrowth, checkRecalculation, checkSeries } from './doctor-series.ts';
import { checkRetention } from './doctor-retention.ts';
import { oauthChecks } from './doctor-oauth.ts';
import { lookingOnly, NotYet } from './doctor-storage.ts';
import { explain } from '../signing/explain.ts';
import { faultFinding, type DoctorFinding } from './finding.ts';
import { tableText } from '../table.ts';

/** `helioport doctor`: checks for common problems and, without `--repair`, changes nothing; exit code 1 if there is a fault. */
export const registerDoctor: RegisterCommand = (program, context) => {
  program
    .command('doctor')
    .description(
      'check for common problems: settings, exposure, data folder, database, series, master key, clock, addresses, growth, retention, recalculation, counters, OAuth, events, e-mail, MQTT broker, portal and backups',
    )
    .option('--repair', 'correct wrong counters')
    .action(async ({ repair }: { repair?: true }) => {
      const results: (DoctorFinding & { check: string })[] = [];
      const said = new Map<string, string>();
      const looking = lookingOnly(context);
      const all = {
        ...checks,
        series: checkSeries,
        growth: checkGrowth,
        retention: checkRetention,
        recalculation: checkRecalculation,
        counters: repair ? repairCounters : checkCounters,
        ...oauthChecks,
        events: checkEvents,
        'e-mail': checkMail,
        'MQTT broker': checkBroker,
        'MQTT certificate': checkCertificate,
        portal: checkPortal,
        backups: checkBackups,
      };
      for (const [check, look] of Object.entries(all)) {
        // Checks run one after the other, because later checks use files and connections that earlier ones have opened.
        const finding = await look(looking).catch((error: unknown) =>
          findingOf(error, check, said),
        );
        results.push({ check, ...finding });
      }
      await looking.close();
      context.print(results, () =>
        tableText(
          ['check', 'state', ''],
          results.map(({ check, state, text }) => [check, state, text]),
        ),
      );
      if (results.some(({ state }) => state === 'fault')) context.fail();
    });
};

/** What is to be done about faults whose sentences, which servers and other commands say too, do not tell. */
const REMEDIES: readonly (readonly [fault: RegExp, remedy: string])[] = [
  [
    /database cannot be reached/,
    'see that PostgreSQL runs, and that HELIOPORT_DATABASE_URL leads to it',
  ],
  [
    /written by a newer version/,
    'install that version or a later one, or restore a backup that this version has made',
  ],
  [/required with PostgreSQL/, 'openssl rand -base64 32 makes one, which all instances share'],
  [
    /master key is not the one/,
    'put that one back: it is in each backup, or where you keep a copy of HELIOPORT_MASTER_KEY',
  ],
];

/** A fault that has stopped an earlier check, too, is described there. */
function findingOf(error: unknown, check: string, said: Map<string, string>): DoctorFinding {
  if (error instanceof NotYet) return error.finding;
  const { message } = explain(error);
  const before = said.get(message);
  if (before !== undefined) return faultFinding(`cannot be checked: see ${before}`);
  said.set(message, check);
  const [, remedy] = REMEDIES.find(([fault]) => fault.test(message)) ?? [];
  return faultFinding(remedy === undefined ? message : `${message}; ${remedy}`);
}
