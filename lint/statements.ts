import type { Sources } from './sources.ts';

/** A statement that changes rows, with the conditions that ask other rows, or the same ones, in a query of their own. */
export interface AskingChange {
  /** `path: table`, followed by a number if the file changes the table in several such statements. */
  readonly place: string;
  readonly conditions: readonly string[];
}

interface Call {
  readonly name: string;
  readonly inner: string;
}

const CHANGE = /\.(?:updateTable|deleteFrom)\(/g;
const RAW = /`\s*(?:update|delete from)\s+("?\w+"?|\$\{)[^`]*/g;
const CONDITION = /^(?:where|\$if|from|using|innerJoin|leftJoin)$/;
/** A query, or what could be one: whatever stands in a list that is not written out. */
const QUERY = /selectFrom\(|exists\(|\bselect\b|'(?:not )?in',(?!\s*\[)/;

/** The changes whose conditions contain a query. Statements that are put together in several functions are not understood. */
export function askingChanges(sources: Sources): AskingChange[] {
  const found: AskingChange[] = [];
  for (const [path, text] of sources) {
    const seen = new Map<string, number>();
    const add = (table: string, conditions: readonly string[]): void => {
      const key = `${path}: ${table}`;
      const number = (seen.get(key) ?? 0) + 1;
      seen.set(key, number);
      found.push({ place: number === 1 ? key : `${key} ${number}`, conditions });
    };
    for (const { index } of text.matchAll(CHANGE)) {
      const calls = callsFrom(text, index);
      const conditions = askingIn([...calls, ...continued(text, index)]);
      if (conditions.length > 0) add(calls[0]!.inner.replaceAll(/['"]/g, '').trim(), conditions);
    }
    for (const [statement, table] of text.matchAll(RAW))
      if (/\bselect\b|\$\{/.test(statement.slice(table!.length + 8)))
        add(table!.replaceAll('"', ''), [squeeze(statement)]);
  }
  return found;
}

const askingIn = (calls: readonly Call[]): string[] =>
  calls
    .filter(({ name, inner }) => CONDITION.test(name) && QUERY.test(inner))
    .map(({ name, inner }) => `${name}(${squeeze(inner)})`);

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The calls of a chain, beginning with the dot of the first. */
function callsFrom(text: string, start: number): Call[] {
  const calls: Call[] = [];
  let at = start;
  for (;;) {
    const [step, name] = /^\s*\.(\$?\w+)(?:<[^(]*>)?\(/.exec(text.slice(at, at + 200)) ?? [];
    if (step === undefined) return calls;
    const end = closing(text, at + step.length);
    calls.push({ name: name!, inner: text.slice(at + step.length, end) });
    at = end + 1;
  }
}

/** What is added to a statement that was given a name, in the rest of the function. */
function continued(text: string, index: number): Call[] {
  const before = text.slice(Math.max(0, index - 120), index);
  const name = /(?:const|let) (\w+)(?:: [^=]+)? =\s*\(?\s*[\w.]*\s*$/.exec(before)?.[1];
  if (name === undefined) return [];
  const end = text.slice(index).search(/\n\}\n|\n\};\n/);
  const rest = text.slice(index, end < 0 ? undefined : index + end);
  return [...rest.matchAll(new RegExp(`\\b${name}\\s*(?=\\.)`, 'g'))].flatMap((use) =>
    callsFrom(rest, use.index + use[0].length),
  );
}

/** Where the bracket that is open at a place closes. */
function closing(text: string, start: number): number {
  let depth = 1;
  for (let i = start; i < text.length; i++) {
    const char = text[i]!;
    if (char === "'" || char === '"') {
      i = endOfText(text, i, char);
    } else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char) && --depth === 0) return i;
  }
  return text.length;
}

function endOfText(text: string, start: number, quote: string): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    // An apostrophe within a template opens nothing.
    else if (text[i] === quote || text[i] === '\n') return i;
  }
  return text.length;
}
