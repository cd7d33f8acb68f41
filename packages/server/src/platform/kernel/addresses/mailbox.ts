import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

declare const read: unique symbol;

/** An e-mail address that `readMailbox` has read: a single mailbox, in its one spelling. */
export type Mailbox = string & { readonly [read]: true };

// The dot-atoms of RFC 5322 3.4.1 and, beyond ASCII, the letters and digits of RFC 6532 3.2: no comments, quotes, lists or literals, nor the routes
// that some servers read out of `%` and `!`.
const ATOM = /^[\p{L}\p{N}#$&'*+/=?^_`{|}~-][\p{L}\p{M}\p{N}#$&'*+/=?^_`{|}~-]*$/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

const LOCAL_PART_BYTES = 64;
const ADDRESS_BYTES = 254;

/** The form in which addresses were stored before they had a grammar; accounts have kept it. */
export const typedForm = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/**
 * Reads an e-mail address; undefined if it is not a single plain one. Domains are in Unicode, whichever way they were written. Characters that
 * merely look like others (full-width letters, dots and at signs) are refused, because programs disagree about what they stand for.
 */
export function readMailbox(text: string): Mailbox | undefined {
  const typed = typedForm(text);
  const at = typed.indexOf('@');
  const local = typed.slice(0, Math.max(0, at));
  const domain = readDomain(typed.slice(at + 1));
  const isPlain =
    local.normalize('NFKC') === local && local.split('.').every((atom) => ATOM.test(atom));
  if (!isPlain || domain === undefined || Buffer.byteLength(local) > LOCAL_PART_BYTES)
    return undefined;
  const mailbox = `${local}@${domain}`;
  return Buffer.byteLength(mailbox) <= ADDRESS_BYTES ? (mailbox as Mailbox) : undefined;
}

function readDomain(typed: string): string | undefined {
  const ascii = domainToASCII(typed);
  const unicode = domainToUnicode(ascii);
  if (typed !== ascii && typed !== unicode) return undefined;
  const isDomain = ascii.split('.').every((label) => LABEL.test(label)) && isIP(ascii) === 0;
  return isDomain ? unicode : undefined;
}

/** An address in its one spelling if it has a grammar, else as it is stored: what is counted per mailbox is counted under it. */
export const mailboxKey = (text: string): string => readMailbox(text) ?? typedForm(text);

/** Whether two addresses, each stored or just typed, are one mailbox. */
export const isSameMailbox = (a: string, b: string): boolean => mailboxKey(a) === mailboxKey(b);

/** All spellings under which the account of an address may be stored, the one that was typed first. */
export function spellingsOf(text: string): string[] {
  const mailbox = readMailbox(text);
  if (mailbox === undefined) return [typedForm(text)];
  const at = mailbox.indexOf('@') + 1;
  const ascii = mailbox.slice(0, at) + domainToASCII(mailbox.slice(at));
  return [...new Set([typedForm(text), mailbox, ascii])];
}

/** The mailbox that many mail servers deliver a tagged address to: `ann@example.org` for `ann+pv@example.org`; undefined for one without a tag. */
export function untagged(address: string): string | undefined {
  const [, local, domain] = /^([^+]+)\+.*(@[^@]+)$/.exec(mailboxKey(address)) ?? [];
  return local === undefined ? undefined : `${local}${domain}`;
}

/** A sender, as the operator sets it: `Helioport <no-reply@example.org>` or the address alone. */
export interface MailSender {
  readonly name: string;
  readonly address: Mailbox;
}

/** Reads a sender; undefined for anything but one mailbox with or without a name. The case of its address is kept. */
export function readSender(text: string): MailSender | undefined {
  const [, name = '', bracketed = text] = /^([^<>\p{C}]*)<([^<>]*)>$/u.exec(text) ?? [];
  if (readMailbox(bracketed) === undefined || bracketed !== bracketed.trim()) return undefined;
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: bracketed as Mailbox };
}
