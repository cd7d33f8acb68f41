import type { Clock } from '../clock.ts';
import { shapeOf, type ModbusRequest } from './modbus-pdu.ts';

/** What may still arrive on a line whose answers have no number, and could be taken for the answer to something else. */
export interface Doubts {
  /** A request has had no answer: it may come late. */
  missed(request: ModbusRequest): void;
  /** A request has been answered: the answer may come once more. */
  answered(request: ModbusRequest, words: readonly number[]): void;
  /** Requests of a unit whose answers may come late. */
  of(unit: number): readonly ModbusRequest[];
  /** How many late or repeated answers to other requests look like this answer. */
  concern(request: ModbusRequest, words: readonly number[]): number;
}

const REMEMBERED = 32;
const ANSWERS_BETWEEN = 8;

interface Entry {
  readonly request: ModbusRequest;
  readonly words: string | undefined;
  readonly at: number;
  readonly answers: number;
}

/** @param answersSoFar counts the answers of the line: a process that stood still has the late ones yet to come, however late it is */
export function createDoubts(clock: Clock, forMs: number, answersSoFar: () => number): Doubts {
  let entries: Entry[] = [];
  const recent = (): Entry[] => {
    const [now, count] = [clock.now(), answersSoFar()];
    entries = entries.filter(
      ({ at, answers }) => Math.abs(now - at) < forMs || count - answers < ANSWERS_BETWEEN,
    );
    return entries;
  };
  const add = (request: ModbusRequest, words?: readonly number[]): void => {
    const entry = { request, words: words?.join(), at: clock.now(), answers: answersSoFar() };
    entries = [entry, ...recent()].slice(0, REMEMBERED);
  };
  return {
    missed: (request) => add(request),
    answered: (request, words) => add(request, words),
    of: (unit) =>
      recent()
        .filter(({ request, words }) => words === undefined && request.unit === unit)
        .map(({ request }) => request),
    concern(request, words) {
      const [shape, text] = [shapeOf(request), words.join()];
      return recent().filter(
        (entry) =>
          shapeOf(entry.request) === shape &&
          entry.request.address !== request.address &&
          (entry.words === undefined || entry.words === text),
      ).length;
    },
  };
}
