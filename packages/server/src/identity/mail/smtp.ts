import { domainToASCII } from 'node:url';
import { createTransport } from 'nodemailer';
import { readSender, type Mailbox } from '../../platform/kernel/addresses/mailbox.ts';
import { htmlOf, letterSubjectOf, letterTextOf, type Letter } from './letter.ts';

/** An e-mail as handed to the SMTP server. */
export interface MailEnvelope {
  readonly id: string;
  readonly address: Mailbox;
  readonly letter: Letter;
}

/** The SMTP server of the operator. */
export interface Smtp {
  /** Hands over an e-mail. Throws MailRefused if this one will never be taken, and anything else if it may be tried again. */
  send(mail: MailEnvelope): Promise<void>;
  /** Connects and, if there is a password, logs in. Throws what is wrong. */
  check(): Promise<void>;
}

/** The server will not take this e-mail, whenever it is tried. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/**
 * How to connect. A password is sent only over TLS, unless the server is on this machine; without one, TLS is used where the
 * server offers it.
 */
export function connectionTo(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && username !== '' && !isLocal,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
  };
}

/** Sends over one connection for each e-mail, so that an attempt that failed is never repeated without our knowing. */
export function createSmtp({ url, from }: { url: string; from: string }): Smtp {
  const transport = createTransport({
    ...connectionTo(url),
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sender = readSender(from);
  if (!sender) throw new Error('the sender of e-mails is not one e-mail address');
  return {
    async send({ id, address, letter }) {
      try {
        await transport.sendMail({
          // Objects throughout: a text would be parsed again, and might then be several addresses.
          from: { ...sender },
          to: { name: '', address },
          envelope: { from: { name: '', address: sender.address }, to: { name: '', address } },
          // The same for each attempt, so that receivers can recognize an e-mail that was sent twice.
          messageId: `<${id}@${domainToASCII(sender.address.slice(sender.address.lastIndexOf('@') + 1))}>`,
          subject: letterSubjectOf(letter),
          text: letterTextOf(letter),
          html: htmlOf(letter),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'Content-Language': letter.language,
            ...(letter.stop && {
              'List-Unsubscribe': `<${letter.stop.url}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
      } catch (error) {
        throw isFinal(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
    check: async () => void (await transport.verify()),
  };
}

/** Whether a reply concerns this recipient or this text, and is permanent: 5yz (RFC 5321 4.2.1). What is wrong with our log-in or sender can be mended. */
function isFinal(error: unknown): boolean {
  const {
    code,
    command,
    responseCode = 0,
  } = error as { code?: string; command?: string; responseCode?: number };
  const isOfMail = (code === 'EENVELOPE' && command === 'RCPT TO') || code === 'EMESSAGE';
  return isOfMail && responseCode >= 500 && responseCode < 600;
}
