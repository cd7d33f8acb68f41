import type { WireData } from '@helioport/contract';
import type { CallOptions } from './caller.ts';
import type { Pause } from './clock.ts';
import { HelioportError } from './error.ts';

/** A parameter of an inverter, and what it is to be. */
export interface ControlRequest {
  /** Serial number of the inverter. */
  sn: string;
  /** Number of the parameter; the `cid` on the wire. */
  parameter: string | number;
  value: string | number;
  /** What it was before, as `yuanzhi` of `atRead` says; parameters of single bits need it. */
  oldValue?: string | undefined;
}

/** A write that the device was read back after. */
export interface Controlled {
  sn: string;
  /** Names the write in the history. */
  orderId: string;
}

/** Makes one call of an operation that controls. */
export type SendControl = (
  operation: 'control' | 'result',
  request: object,
  options: CallOptions,
) => Promise<unknown>;

type Item = WireData<'control'>[number];

const LOOK_MS = 1_000;
const UNDER_WAY: readonly Item['state'][] = ['queued', 'sent', 'confirmed'];

/** Sets a parameter and resolves once the device, read back, has the value. Rejects with HelioportError when it is certain that it will not, and says why. */
export async function control(
  send: SendControl,
  pause: Pause,
  request: ControlRequest,
  options: CallOptions,
): Promise<Controlled> {
  const { sn, parameter, value, oldValue } = request;
  const body = {
    inverterSn: sn,
    cid: parameter,
    value,
    ...(oldValue !== undefined && { yuanzhi: oldValue }),
  };
  let [item] = (await send('control', body, options)) as [Item];
  while (UNDER_WAY.includes(item.state)) {
    await pause(LOOK_MS, options.signal);
    // There is nothing to tell until the device has confirmed it.
    const answer = (await send('result', { orderId: item.orderId }, options)) as [Item] | null;
    if (answer) [item] = answer;
  }
  if (item.state === 'verified') return { sn, orderId: item.orderId! };
  throw new HelioportError({
    operation: 'control',
    status: 200,
    code: String(item.code),
    message: item.msg,
    data: item,
  });
}
