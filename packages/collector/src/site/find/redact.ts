/** Words by address. */
type Words = Map<number, number>;

/** What stands for a text or a number that names somebody. */
const NEUTRAL = 0x3030;
const TEXT_WORDS_AT_LEAST = 3;

/** The words without every longer text: a serial number, a network or an address may stand where nobody knows. `kept`: texts that name nobody. */
export function hideTexts(words: Words, kept: ReadonlySet<number> = new Set()): void {
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
