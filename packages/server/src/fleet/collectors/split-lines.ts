import { isUtf8 } from 'node:buffer';
import { Failure } from '../../platform/kernel/failure.ts';
import { parseJson } from './parse-json.ts';
import {
  ELEMENT_BYTES,
  TOO_LONG,
  UnreadableSection,
  type SectionSink,
  type Splitter,
} from './report-sections.ts';

const LINE_END = 0x0a;
const NOTHING = Buffer.alloc(0);
const NO_JSON = new UnreadableSection('this line is not readable JSON');

/** Takes one reading per line; blank lines are skipped. */
export function splitLines(sink: SectionSink): Splitter {
  /** The beginning of the current line, which the next chunk continues. */
  let rest: Uint8Array = NOTHING;
  /** Whether the current line is too long; if so, its beginning has been dropped. */
  let long = false;
  let first = true;

  const read = (bytes: Uint8Array): void => {
    if (!isUtf8(bytes)) throw new Failure('malformedRequest', { message: 'the body is not UTF-8' });
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const lines = (first && text.startsWith('\ufeff') ? text.slice(1) : text)
      .split('\n')
      .filter((line) => line.trim() !== '');
    first = false;
    // Lines are counted before they are parsed, because parsing a million of them would block everybody else.
    sink.count('readings', lines.length);
    sink.take('readings', lines.map(elementOf));
  };
  const endLong = (): void => {
    long = false;
    sink.count('readings', 1);
    sink.take('readings', [TOO_LONG]);
  };

  return {
    write(chunk) {
      let whole = chunk;
      if (long) {
        const end = chunk.indexOf(LINE_END);
        if (end < 0) return;
        endLong();
        whole = chunk.subarray(end + 1);
      }
      const data = rest.length === 0 ? whole : Buffer.concat([rest, whole]);
      const end = data.lastIndexOf(LINE_END) + 1;
      if (end > 0) read(data.subarray(0, end));
      rest = data.subarray(end);
      if (rest.length > ELEMENT_BYTES) [rest, long] = [NOTHING, true];
    },
    end() {
      if (long) endLong();
      else if (rest.length > 0) read(rest);
    },
  };
}

function elementOf(line: string): unknown {
  if (line.length > ELEMENT_BYTES) return TOO_LONG;
  try {
    return parseJson(line);
  } catch {
    return NO_JSON;
  }
}
