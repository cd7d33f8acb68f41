/**
 * A string to sign as somebody pasted it. Text fields lose carriage returns, so a string literal as programs print it (in JSON, or by Python's
 * repr) counts as what it stands for.
 */
export function readOwnText(pasted: string): string | undefined {
  if (pasted === '') return undefined;
  const literal = /^\s*b?(["'])(.*)\1\s*$/s.exec(pasted);
  if (!literal) return pasted;
  return literal[2]!.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs,
    (_, unit?: string, byte?: string, letter?: string) => {
      const code = unit ?? byte;
      return code === undefined
        ? (LETTERS[letter!] ?? letter!)
        : String.fromCharCode(parseInt(code, 16));
    },
  );
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };
