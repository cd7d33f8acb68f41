import { INSTRUCTIONS_AT_MOST } from './answers/instructions.ts';
import type { Clock, Pause } from './clock.ts';
import type { DeviceAccess, Instruction, InstructionResult } from './instruction.ts';
import type { Answer, ArrivedInstruction, Link, Setback } from './link.ts';
import { ownFault } from './own-fault.ts';
import { pauseAfter } from './pauses.ts';
import { createRecent } from './solarman/recent.ts';

export interface ObeyDeps {
  readonly link: Link;
  readonly devices: DeviceAccess;
  /** Whether instructions need not wait for one another. */
  readonly areApart: boolean;
  readonly clock: Clock;
  /** Milliseconds since any instant; never set, unlike a clock. */
  readonly uptime: () => number;
  readonly pause: Pause;
  /** Stops it. An instruction in progress is completed, but its result may be lost. */
  readonly signal: AbortSignal;
  onSetback(setback: Setback): void;
}

/** Number of instructions whose ids are remembered, so that none is carried out twice. */
const REMEMBERED = 1_000;
/** A call that brought nothing in less time was not answered by a gateway that waits for instructions. */
const BRIEF_MS = 5_000;
/** The least pause after such a call, and after how many in a row it grows no longer. */
const [LEAST_MS, VAIN_AT_MOST] = [1_000, 5];
/** A request that lasted longer than this had a working connection, so its failure is not another one in a row. */
const LASTING_MS = 60_000;
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
  uptime,
  pause,
  signal,
  onSetback,
}: ObeyDeps): Promise<void> {
  const seen = createRecent(REMEMBERED);
  let underWay = 0;
  const rest = (failures: number, askedMs?: number): Promise<void> =>
    pause(pauseAfter(failures, askedMs, Math.random()), signal).catch(() => {});

  /** Repeats a question until it is answered; undefined if it never will be. */
  const patiently = async <T>(
    ask: () => Promise<Answer<T>>,
    isWorthwhile = (): boolean => true,
  ): Promise<T | undefined> => {
    for (let failures = 0; !signal.aborted && isWorthwhile();) {
      const askedAt = uptime();
      const answer = await ask();
      if ('value' in answer) return answer.value;
      if (signal.aborted) return undefined;
      onSetback(answer.setback);
      // Over MQTT, one question stays open for as long as the connection.
      failures = uptime() - askedAt > LASTING_MS ? 1 : failures + 1;
      await rest(failures, answer.setback.pauseMs);
    }
    return undefined;
  };

  /** Reports results until they are taken, or refused for good. */
  async function deliver(results: readonly InstructionResult[]): Promise<Answer<unknown>> {
    const answer = await link.results(results);
    if ('value' in answer || answer.setback.cause !== 'malformed') return answer;
    onSetback(answer.setback);
    return { value: undefined };
  }

  async function carryOut(instruction: Instruction): Promise<void> {
    const result = await resultOf(devices, instruction);
    const doneAt = uptime();
    // The server sends the device's next instruction after this result.
    await patiently(
      () => deliver([result]),
      () => uptime() < doneAt + RESULT_LIMIT_MS,
    );
  }

  /** Begins what is to be done; returns whether there was anything. */
  async function begin(arrived: readonly ArrivedInstruction[]): Promise<boolean> {
    let isAny = false;
    for (const { instruction, arrivedAt } of arrived) {
      const isLate = clock.now() > arrivedAt + instruction.withinSeconds * 1000;
      if (isLate || seen.has(instruction.id) || underWay >= INSTRUCTIONS_AT_MOST) continue;
      seen.add(instruction.id);
      isAny = true;
      underWay += 1;
      const done = carryOut(instruction)
        .catch((error: unknown) => onSetback(ownFault(error)))
        .finally(() => (underWay -= 1));
      if (!areApart) await done;
    }
    return isAny;
  }

  /** Calls in a row that brought nothing, and did not last as they would at the gateway. */
  let inVain = 0;
  while (!signal.aborted) {
    const askedAt = uptime();
    try {
      const arrived = await patiently(() => link.instructions());
      const isOfUse = await begin(arrived ?? []);
      inVain = isOfUse || uptime() - askedAt >= BRIEF_MS ? 0 : inVain + 1;
    } catch (error) {
      onSetback(ownFault(error));
      inVain += 1;
    }
    if (inVain > 0 && !signal.aborted) await rest(Math.min(inVain, VAIN_AT_MOST), LEAST_MS);
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
