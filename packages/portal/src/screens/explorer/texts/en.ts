const en = {
  title: 'Explorer',
  lead: 'Calls any operation of signed requests as yourself, without a key pair, and shows the signed request that would do the same.',
  operation: 'Operation',
  find: 'Find by name or purpose',
  found: (count: number) =>
    count === 0 ? 'Nothing fits.' : count === 1 ? '1 fits.' : `${count} fit.`,
  writes: 'Changes something',
  required: 'required',
  unset: 'not sent',
  send: 'Send',
  warnTitle: 'This changes something',
  warnLead: 'It is carried out at once, with your plants and devices.',
  warnSend: 'Carry it out',
  answer: 'Answer',
  took: (ms: string) => `in ${ms} ms`,
  unreachable: 'The server does not answer. Please try again in a moment.',
  cut: 'Only the beginning is shown.',
  signed: 'The same as a signed request',
  signedLead:
    'Paste it into a terminal with curl and openssl, with your own key pair in place of the words in capitals.',
  keys: 'Your key pairs',
  script: 'Commands',
  stringToSign: 'String to sign',
  stringLead:
    'With the body above and this Date. Lines end with a single line feed; there is none at the end.',
  copy: 'Copy',
  copied: 'Copied',
};
export type Texts = typeof en;
export default en;
