import { createSmtp } from '../../../identity/mail/smtp.ts';
import { readOutbox } from '../../../identity/mail/outbox.ts';
import type { CliContext } from '../context.ts';
import { faultFinding, ok, warning, type DoctorFinding } from './finding.ts';

/** Connects to the SMTP server and looks at what waits. */
export async function checkMail(context: CliContext): Promise<DoctorFinding> {
  const { smtpUrl: url, mailFrom: from } = context.config();
  if (url === null || from === null)
    return ok('HELIOPORT_SMTP_URL is not set: no e-mails are sent');
  const { host } = new URL(url);
  const wrong = await createSmtp({ url, from })
    .check()
    .catch((error: Error) => error);
  if (wrong)
    return faultFinding(
      `${host} cannot be used: ${wrong.message}; see that HELIOPORT_SMTP_URL leads to it, with its user and password`,
    );
  const { db } = await context.storage();
  const { waiting, fault: last } = await readOutbox(db);
  return last === null
    ? ok(`${host}, as ${from}`)
    : warning(`${host} answers, but ${waiting} e-mails wait; an attempt failed: ${last}`);
}
