import type { WireData } from '@helioport/contract';
import type { Texts } from '../texts/en.ts';

/** The service's health as the console shows it. */
export type Health = WireData<'service/health'>;

/** Work that has waited for longer than this is late. */
const LATE_SECONDS = 120;
const SCARCE_BYTES = 512 * 1024 * 1024;
const CLOCKS_DIFFER_MS = 60_000;

/** What an operator should look at, in words. */
export function concernsOf(health: Health, t: Texts['health'], span: (seconds: number) => string): string[] {
  const { freeBytes, clockDifferenceMs = 0, mailFault, collectors, forwarding, lanes = [] } = health;
  return [
    ...(freeBytes !== undefined && freeBytes < SCARCE_BYTES ? [t.space] : []),
    ...(Math.abs(clockDifferenceMs) > CLOCKS_DIFFER_MS ? [t.clock] : []),
    ...lanes.flatMap(({ kind, oldestDueSeconds }) => (oldestDueSeconds > LATE_SECONDS ? [t.late(kind, span(oldestDueSeconds))] : [])),
    ...lanes.flatMap(({ kind, failing }) => (failing > 0 ? [t.failing(kind, failing)] : [])),
    ...(mailFault === undefined ? [] : [t.mail(mailFault)]),
    ...(forwarding && forwarding.failing > 0 ? [t.forwarding(forwarding.failing)] : []),
    ...(collectors && collectors.silent > 0 ? [t.silent(collectors.silent)] : []),
  ];
}
