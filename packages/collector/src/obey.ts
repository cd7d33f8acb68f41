import type { Clock, Pause } from './clock.ts';
import type { DeviceAccess, Instruction, InstructionResult } from './instruction.ts';
import type { Answer, Link, Setback } from './link.ts';
import { pauseAfter } from './pauses.ts';
import { createRecent } from './solarman/recent.ts';

export interface ObeyDeps {
  readonly link: Link;
  readonly devices: DeviceAccess;
  /** Whether instructions need not wait for one another. */
  readonly areApart: boolean;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Stops it. An instruction in progress is completed, but its result may be lost. */
  readonly signal: AbortSignal;
  onSetback(setback: Setback): void;
}

/** Number of instructions whose ids are remembered, so that none is carried out twice. */
const REMEMBERED = 1_000;
/** A request that lasted longer than this had a working connection, so its failure is not another one in a row. */
const LASTING_MS = 60_000;
/** Between two questions that bring nothing new, about so much time passes at least. */
const LEAST_MS = 1_000;
/** After this time, the server no longer waits for a result. */
const RESULT_LIMIT_MS = 15 * 60_000;

/**
 * Fetches instructions and carries them out one at a time, since most devices share a bus; or, if they are apart, at once: there is one
 * per device at most. Resolves once the signal aborts.
 */
export async function obey({
  link,
  devices,
  areApart,
  clock,
  pause,
  signal,
  onSetback,
}: ObeyDeps): Promise<void> {
  const seen = createRecent(REMEMBERED);
  const rest = (ms: number): Promise<void> => pause(ms, signal).catch(() => {});
  /** Repeats a question until it is answered; undefined if it never will be. */
  const patiently = async <T>(
    ask: () => Promise<Answer<T>>,
    isWorthwhile?: () => boolean,
  ): Promise<T | undefined> => {
    for (let failures = 0; !signal.aborted;) {
      if (isWorthwhile?.() === false) return undefined;
      const askedAt = clock.now();
      const answer = await ask();
      if ('value' in answer) return answer.value;
      if (signal.aborted) return undefined;
      onSetback(answer.setback);
      // Instructions are asked for again and again, whatever is wrong with the question.
      if (answer.setback.cause === 'malformed' && isWorthwhile) return undefined;
      // Over MQTT, one question stays open for as long as the connection.
      failures = clock.now() - askedAt > LASTING_MS ? 1 : failures + 1;
      await rest(pauseAfter(failures, answer.setback.pauseMs, Math.random()));
    }
    return undefined;
  };

  async function carryOut(instruction: Instruction): Promise<void> {
    const result = await resultOf(devices, instruction);
    const doneAt = clock.now();
    // The server sends the device's next instruction after this result.
    await patiently(
      () => link.results([result]),
      () => clock.now() < doneAt + RESULT_LIMIT_MS,
    );
  }

  while (!signal.aborted) {
    const askedAt = clock.now();
    let isNew = false;
    for (const { instruction, arrivedAt } of (await patiently(() => link.instructions())) ?? []) {
      if (seen.has(instruction.id) || clock.now() > arrivedAt + instruction.withinSeconds * 1000)
        continue;
      seen.add(instruction.id);
      isNew = true;
      const done = carryOut(instruction);
      if (!areApart) await done;
    }
    // A gateway keeps the question for half a minute; what brings nothing at once would be asked thousands of times a second.
    if (!isNew && !signal.aborted && Math.abs(clock.now() - askedAt) < LEAST_MS)
      await rest(LEAST_MS * (0.5 + Math.random()));
  }
}

async function resultOf(
  devices: DeviceAccess,
  instruction: Instruction,
): Promise<InstructionResult> {
  const { id, action } = instruction;
  try {
    if (action === 'read') return { id, ok: true, ...(await devices.read(instruction)) };
    await devices.write(instruction);
    return { id, ok: true };
  } catch (error) {
    return { id, ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}
