import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** An e-mail as the server took it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Message-ID. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The value of a header, unfolded; empty without it. */
  header(name: string): string;
}

/** What the server does instead of taking an e-mail. */
export interface Behaviour {
  /** The reply to RCPT TO. */
  readonly recipient?: string;
  /** The reply after the text. `hang up`: it takes the e-mail and closes the connection without a reply. */
  readonly end?: string;
  /** The reply to the log-in. */
  readonly logIn?: string;
}

export interface SmtpServer {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** User names and passwords that were sent. */
  readonly logIns: string[];
  behaviour: Behaviour;
  /** The first e-mail to an address, once it has arrived. */
  mailTo(address: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** An SMTP server on this machine (RFC 5321, AUTH PLAIN of RFC 4954), without TLS. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const state = { mails: [] as ReceivedMail[], logIns: [] as string[], behaviour: {} as Behaviour };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    converse(socket, state);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${port}`,
    async mailTo(address: string) {
      const arrived = () => state.mails.find(({ to }) => to.includes(address));
      for (let round = 0; round < 400 && !arrived(); round++)
        await new Promise((resolve) => setTimeout(resolve, 25));
      const mail = arrived();
      if (!mail) throw new Error(`no e-mail to ${address}`);
      return mail;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

function converse(
  socket: Socket,
  state: { mails: ReceivedMail[]; logIns: string[]; behaviour: Behaviour },
): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let [rest, data, from] = ['', undefined as string | undefined, ''];
  let to: string[] = [];
  say('220 localhost ESMTP');
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (data === undefined) command(line);
      else if (line === '.') endOfText();
      else data += `${line.startsWith('.') ? line.slice(1) : line}\r\n`;
    }
  });

  function command(line: string): void {
    const { recipient, logIn } = state.behaviour;
    const [verb = ''] = line.toUpperCase().split(' ');
    if (verb === 'EHLO')
      return void socket.write('250-localhost\r\n250-AUTH PLAIN\r\n250 SMTPUTF8\r\n');
    if (verb === 'AUTH') {
      state.logIns.push(
        Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')
          .slice(1)
          .join(':'),
      );
      return say(logIn ?? '235 welcome');
    }
    if (verb === 'MAIL') from = /<(.*?)>/.exec(line)![1]!;
    if (verb === 'RCPT') {
      if (recipient) return say(recipient);
      to.push(/<(.*?)>/.exec(line)![1]!);
    }
    if (verb === 'DATA') {
      data = '';
      return say('354 go on');
    }
    if (verb === 'QUIT') return void socket.end('221 bye\r\n');
    say('250 ok');
  }

  function endOfText(): void {
    const { end } = state.behaviour;
    if (end === undefined || end === 'hang up') state.mails.push({ from, to, ...read(data!) });
    [data, to] = [undefined, []];
    if (end === 'hang up') socket.destroy();
    else say(end ?? '250 taken');
  }
}

/** The parts of a multipart/alternative message. */
function read(message: string): Pick<ReceivedMail, 'id' | 'subject' | 'text' | 'html' | 'header'> {
  const headerOf = (part: string, name: string): string =>
    new RegExp(`^${name}: *((?:.|\r\n[ \t])*)`, 'im')
      .exec(part.slice(0, part.indexOf('\r\n\r\n')))?.[1]
      ?.replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
  const boundary = /boundary="([^"]+)"/.exec(headerOf(message, 'Content-Type'))![1]!;
  const parts = message.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, ''));
  const bodyOf = (type: string): string => {
    const part = parts.find((one) => headerOf(one, 'Content-Type').startsWith(type))!;
    const body = part.slice(part.indexOf('\r\n\r\n') + 4).trimEnd();
    const encoding = headerOf(part, 'Content-Transfer-Encoding');
    const bytes =
      encoding === 'base64'
        ? Buffer.from(body, 'base64')
        : encoding === 'quoted-printable'
          ? unquoted(body)
          : Buffer.from(body, 'latin1');
    return bytes.toString('utf8').replaceAll('\r\n', '\n');
  };
  return {
    header: (name) => headerOf(message, name),
    id: headerOf(message, 'Message-ID'),
    subject: wordsOf(headerOf(message, 'Subject')),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  };
}

const unquoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  );

/** Decodes the encoded words of a header. RFC 2047 */
const wordsOf = (header: string): string =>
  header
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, words: string) =>
      (kind.toUpperCase() === 'B'
        ? Buffer.from(words, 'base64')
        : unquoted(words.replaceAll('_', ' '))
      ).toString('utf8'),
    );
