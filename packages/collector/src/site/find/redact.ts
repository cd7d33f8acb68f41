/** Words by address. */
type Words = Map<number, number>;

/** What stands for a text or a number that names somebody. */
const NEUTRAL = 0x3030;
const TEXT_WORDS_AT_LEAST = 3;

/** The words without every longer text: a serial number, a network or an address may stand where nobody knows. `kept`: texts that name nobody. */
export function hideTexts(words: Words, kept: ReadonlySet<number> = new Set()): void {
  hideSpread(words, kept);
  hideEncoded(words, kept);
  hidePlain(words, kept);
}

function hidePlain(words: Words, kept: ReadonlySet<number>): void {
  let run: number[] = [];
  let before = -1;
  const end = (): void => {
    if (run.length >= TEXT_WORDS_AT_LEAST)
      for (const address of run) if (!kept.has(address)) words.set(address, NEUTRAL);
    run = [];
  };
  for (const [address, word] of [...words].toSorted(([a], [b]) => a - b)) {
    // The last character of a text may be alone in its word.
    const isLast = run.length > 0 && word <= 0xff && isPrintable(word);
    if (address !== before + 1 || !(isText(word) || isLast)) end();
    if (isText(word) || (isLast && address === before + 1)) run.push(address);
    if (isLast) end();
    before = address;
  }
  end();
}

/** So many bytes of text that is not all ASCII are a name; measurements seldom look like that. */
const ENCODED_BYTES_AT_LEAST = 5;

// Letters and what stands between them, as UTF-8 writes them; one of several bytes at least.
const ENCODED =
  /(?:[\x20-\x7e]|[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2})+/g;

/** Hides names with letters beyond ASCII, in either order of the bytes of a word. */
function hideEncoded(words: Words, kept: ReadonlySet<number>): void {
  const written = new Map(words);
  for (const addresses of runsOf(written))
    for (const isSwapped of [false, true]) {
      const text = addresses
        .flatMap((address) => {
          const word = written.get(address)!;
          return isSwapped ? [word & 0xff, word >> 8] : [word >> 8, word & 0xff];
        })
        .map((byte) => String.fromCodePoint(byte))
        .join('');
      for (const { 0: found, index } of text.matchAll(ENCODED)) {
        const letters = Buffer.from(found, 'latin1').toString('utf8');
        if (
          found.length < ENCODED_BYTES_AT_LEAST ||
          letters.length === found.length ||
          !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(letters)
        )
          continue;
        const isIn = (at: number): boolean => at >= index && at < index + found.length;
        for (let i = index >> 1; i <= (index + found.length - 1) >> 1; i++) {
          // A word of which only one byte is text is a number, unless the other one is nothing.
          const isWhole = [2 * i, 2 * i + 1].every((at) => isIn(at) || text[at] === '\0');
          if (isWhole && !kept.has(addresses[i]!)) words.set(addresses[i]!, NEUTRAL);
        }
      }
    }
}

/** So many letters in words of their own are a name; single small numbers look like letters, too. */
const SPREAD_AT_LEAST = 5;

/** Hides names that are written one character a word, in either byte of it. */
function hideSpread(words: Words, kept: ReadonlySet<number>): void {
  for (const characterOf of [(word: number) => word, (word: number) => swap(word)]) {
    let run: number[] = [];
    let letters = 0;
    const end = (): void => {
      if (letters >= SPREAD_AT_LEAST && letters * 2 > run.length)
        for (const address of run) if (!kept.has(address)) words.set(address, NEUTRAL);
      [run, letters] = [[], 0];
    };
    let before = -1;
    for (const [address, word] of [...words].toSorted(([a], [b]) => a - b)) {
      const code = characterOf(word);
      const isCharacter = code <= 0xff && (isPrintable(code) || code >= 0xa0);
      if (address !== before + 1 || !isCharacter) end();
      if (isCharacter) {
        run.push(address);
        if (/\p{L}/u.test(String.fromCodePoint(code))) letters += 1;
      }
      before = address;
    }
    end();
  }
}

const swap = (word: number): number => ((word & 0xff) << 8) | (word >> 8);

const isPrintable = (code: number): boolean => code >= 0x20 && code < 0x7f;

/** Two characters, or the last one of a text. */
const isText = (word: number): boolean =>
  word > 0xff &&
  word !== 0x2020 &&
  [word >> 8, word & 0xff].every((code) => code === 0 || isPrintable(code));

/** The words without what is known to name somebody, in whatever way devices write it: as text, digits or a number, in either order of bytes and words. */
export function hideSecrets(words: Words, secrets: readonly string[]): void {
  const patterns = secrets.flatMap(patternsOf);
  for (const addresses of runsOf(words))
    for (const isReversed of [false, true])
      for (const isSwapped of [false, true]) {
        const order = isReversed ? addresses.toReversed() : addresses;
        const bytes = Buffer.from(
          order.flatMap((address) => {
            const word = words.get(address)!;
            return isSwapped ? [word & 0xff, word >> 8] : [word >> 8, word & 0xff];
          }),
        );
        for (const pattern of patterns)
          for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1))
            for (let i = at >> 1; i <= (at + pattern.length - 1) >> 1; i++)
              words.set(order[i]!, NEUTRAL);
      }
}

const SHORTEST = 6;
const PART = 8;

function patternsOf(secret: string): Buffer[] {
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(secret)?.slice(1).map(Number);
  if (octets) return [Buffer.from(octets), ...textsOf(secret)];
  if (secret.length < SHORTEST) return [];
  const parts =
    secret.length > PART ? [secret, secret.slice(0, PART), secret.slice(-PART)] : [secret];
  return parts.flatMap((part) => [...textsOf(part), ...(/^\d+$/.test(part) ? digitsOf(part) : [])]);
}

/** One byte a word, from the first to the last. */
const spread = (codes: readonly number[]): Buffer =>
  Buffer.from(codes.flatMap((code) => [code, 0]).slice(0, -1));

/** Two characters a word, and one. */
const textsOf = (text: string): Buffer[] => [
  Buffer.from(text, 'latin1'),
  spread([...text].map((letter) => letter.codePointAt(0)! & 0xff)),
];

/** Two digits a byte, either first; and the number. Orders of bytes are those of the words that are searched. */
function digitsOf(digits: string): Buffer[] {
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const number = BigInt(digits);
  const wide = Buffer.alloc(8);
  wide.writeBigUInt64BE(number & 0xffff_ffff_ffff_ffffn);
  return [
    Buffer.from(even, 'hex'),
    Buffer.from(even.replaceAll(/(.)(.)/g, '$2$1'), 'hex'),
    number <= 0xffff_ffffn ? wide.subarray(4) : wide,
    // One digit a byte, and one a word.
    Buffer.from([...digits].map(Number)),
    spread([...digits].map(Number)),
  ];
}

function runsOf(words: Words): number[][] {
  const runs: number[][] = [];
  for (const address of [...words.keys()].toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === address - 1) run.push(address);
    else runs.push([address]);
  }
  return runs;
}
