import { expect } from 'vitest';
import { postReadings, type Reading } from './post-readings.ts';
import type { Installation } from './installation.ts';

/** Reports to a server that may be killed meanwhile, and resolves to whether that was acknowledged: if not, `gone` is it, or it is `away` from its databases. */
export async function deliver(
  gateway: string,
  to: Installation,
  readings: readonly Reading[],
): Promise<'acknowledged' | 'away' | 'gone'> {
  try {
    const answer = await postReadings(gateway, to, readings);
    if (answer.status === 503) return 'away';
    const { accepted, duplicate, refused } = (await answer.json()) as {
      accepted: number;
      duplicate: number;
      refused: unknown[];
    };
    expect([answer.status, refused]).toEqual([200, []]);
    expect(accepted + duplicate).toBe(readings.length);
    return 'acknowledged';
  } catch (error) {
    // The report may be there or not.
    if (error instanceof TypeError || error instanceof SyntaxError) return 'gone';
    throw error;
  }
}
