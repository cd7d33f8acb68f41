import { isUtf8 } from 'node:buffer';
import { Failure } from '../../platform/kernel/failure.ts';
import { parseJson } from './parse-json.ts';
import {
  ELEMENT_BYTES,
  isReportSection,
  TOO_LONG,
  UnreadableSection,
  type ReportSection,
  type SectionSink,
  type Splitter,
} from './report-sections.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NOTHING = new Uint8Array();

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** What the next byte belongs to. */
type State =
  | 'start'
  | 'first key'
  | 'key'
  | 'in key'
  | 'colon'
  | 'value'
  | 'list'
  | 'element'
  | 'after'
  | 'end';

/**
 * Splits `{"readings":[...],...}` into the elements of its lists. The document is never built as a whole. Elements are counted and measured only by
 * their brackets and quotes. Then JSON.parse parses all elements of a chunk together. Elements longer than ELEMENT_BYTES are not parsed at all.
 */
export function splitJson(sink: SectionSink): Splitter {
  let state: State = 'start';
  let mark = 0;
  const seen = new Set<ReportSection>();
  /** The current list; null = the value of another key. */
  let part: ReportSection | null = null;
  /** The list that should be where another value is. */
  let missing: ReportSection | null = null;
  let key = '';
  const scan = createElementScan();
  /** The beginning of the current key or element, which the next chunk continues. */
  let rest: Uint8Array = NOTHING;
  /** Whether the current element is too long; if so, its beginning has been dropped. */
  let long = false;

  function write(chunk: Uint8Array): void {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    const group = { from: 0, to: 0, count: 0 };
    const flush = (): void => {
      if (group.count > 0) read(data.subarray(group.from, group.to), group.count);
      group.count = 0;
    };

    for (let i = rest.length; i < data.length; i++) {
      if (state === 'element') {
        i = scan.endOf(data, i);
        if (i === data.length) break;
        if (long || i - from > ELEMENT_BYTES) {
          flush();
          readLong();
        } else {
          if (group.count === 0) group.from = from;
          group.to = i;
          group.count += 1;
        }
        from = i + 1;
        if (part !== null && data[i] === COMMA) scan.begin();
        else {
          flush();
          leaveElements(data[i]!);
        }
      } else if (state === 'in key') {
        i = scan.endOfText(data, i);
        if (i === data.length) break;
        if (i - from > ELEMENT_BYTES) throw unreadable();
        enterKey(parsed(data.subarray(from, i), '"', '"') as string);
      } else if (!isSpace(data[i]!)) {
        const before = state as State;
        state = next(data[i]!);
        if (state === 'in key') from = i + 1;
        // This byte is the first one of the value or element.
        else if (state === 'element') {
          scan.begin();
          from = i--;
        } else if (before === 'start' && state === 'start') mark += 1;
      }
    }
    flush();
    keepRest(data.subarray(from));
  }

  function keepRest(begun: Uint8Array): void {
    rest = state === 'element' || state === 'in key' ? begun : NOTHING;
    if (rest.length <= ELEMENT_BYTES && !long) return;
    if (state === 'in key') throw unreadable();
    [rest, long] = [NOTHING, state === 'element'];
  }

  function next(byte: number): State {
    switch (state) {
      case 'start':
        if (byte === BYTE_ORDER_MARK[mark]) return 'start';
        if (byte !== OPEN_OBJECT) throw byte === OPEN_LIST ? noReport() : unreadable();
        return 'first key';
      case 'first key':
      case 'key':
        if (byte === CLOSE_OBJECT && state === 'first key') return 'end';
        if (byte !== QUOTE) throw unreadable();
        scan.begin();
        return 'in key';
      case 'colon':
        if (byte !== COLON) throw unreadable();
        return 'value';
      case 'value':
        if (part === null) return 'element';
        if (byte === OPEN_LIST) return 'list';
        [missing, part] = [part, null];
        return 'element';
      case 'list':
        return byte === CLOSE_LIST ? 'after' : 'element';
      case 'after':
        if (byte === COMMA) return 'key';
        if (byte === CLOSE_OBJECT) return 'end';
    }
    throw unreadable();
  }

  function enterKey(name: string): void {
    key = name;
    part = isReportSection(name) ? name : null;
    state = 'colon';
    if (part === null) return;
    if (seen.has(part))
      throw new Failure('malformedRequest', { message: `${part} occurs twice in the report` });
    seen.add(part);
  }

  /** Leaves a list after its last element, or another key after its value. */
  function leaveElements(delimiter: number): void {
    if (part !== null && delimiter === CLOSE_LIST) state = 'after';
    else if (part === null && delimiter === COMMA) state = 'key';
    else if (part === null && delimiter === CLOSE_OBJECT) state = 'end';
    else throw unreadable();
  }

  function read(bytes: Uint8Array, count: number): void {
    if (part !== null) sink.count(part, count);
    const elements = parsed(bytes, '[', ']') as unknown[];
    // This never happens with text that JSON.parse accepts. If it did, elements would be reported under the wrong index.
    if (elements.length !== count) throw unreadable();
    if (missing !== null) readInsteadOf(missing, elements[0]);
    else if (part === null) sink.takeBeside(key, elements[0]);
    else sink.take(part, elements);
    missing = null;
  }

  /** Takes what is not a list: null stands for an empty one, and what belongs beside the readings does not stand in their way. */
  function readInsteadOf(name: ReportSection, value: unknown): void {
    if (value === null) return;
    const message = `${name} must be a list`;
    if (name === 'readings') throw new Failure('malformedRequest', { message });
    sink.count(name, 1);
    sink.take(name, [new UnreadableSection(message)]);
  }

  function readLong(): void {
    long = false;
    if (missing !== null) readInsteadOf(missing, undefined);
    missing = null;
    if (part === null) return;
    sink.count(part, 1);
    sink.take(part, [TOO_LONG]);
  }

  function end(): void {
    if (state !== 'end') throw unreadable();
    if (seen.size === 0) throw noReport();
  }

  return { write, end };
}

/** Finds where elements end without building them; continues in the next chunk where it stopped. */
function createElementScan() {
  let depth = 0;
  let [inText, escaped] = [false, false];

  /** Where the current string ends: the index of its closing quote, or the length of the data. */
  function endOfText(data: Uint8Array, from: number): number {
    for (let i = from; i < data.length; i++) {
      const byte = data[i]!;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) return i;
    }
    return data.length;
  }

  /** Where the current element ends: the index of the comma or bracket after it, or the length of the data. */
  function endOf(data: Uint8Array, from: number): number {
    for (let i = from; i < data.length; i++) {
      if (inText) {
        i = endOfText(data, i);
        if (i === data.length) break;
        inText = false;
        continue;
      }
      const byte = data[i]!;
      if (byte === QUOTE) inText = true;
      else if (byte === COMMA) {
        if (depth === 0) return i;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 0) return i;
        depth -= 1;
      }
    }
    return data.length;
  }

  const begin = (): void => {
    depth = 0;
    [inText, escaped] = [false, false];
  };
  return { begin, endOf, endOfText };
}

function parsed(bytes: Uint8Array, before: string, after: string): unknown {
  if (!isUtf8(bytes)) throw new Failure('malformedRequest', { message: 'the body is not UTF-8' });
  try {
    return parseJson(
      before +
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') +
        after,
    );
  } catch {
    throw unreadable();
  }
}

const unreadable = (): Failure =>
  new Failure('malformedRequest', { message: 'the body is not readable JSON' });
const noReport = (): Failure =>
  new Failure('malformedRequest', {
    message:
      'the body must be {"readings":[...]}, with "alarms":[...] and "devices":[...] as needed',
  });
