import type { Installation } from './installation.ts';

export interface Reading {
  readonly at: number;
  readonly values: Readonly<Record<string, number>>;
}

/** Reports readings of a device as its collector, over HTTP. */
export const postReadings = (
  gateway: string,
  { sn, token }: Pick<Installation, 'sn' | 'token'>,
  readings: readonly Reading[],
): Promise<Response> =>
  fetch(`${gateway}/v1/readings`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ readings: readings.map((reading) => ({ sn, ...reading })) }),
  });
