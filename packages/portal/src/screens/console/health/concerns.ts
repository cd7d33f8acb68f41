import type { WireData } from '@helioport/contract';
import { knownWordsOf } from '../../../i18n/known-words.ts';
import type { Texts } from '../texts/en.ts';

/** The service's health as the console shows it. */
export type Health = WireData<'service/health'>;

/** Work that has waited for longer than this is late. */
const LATE_SECONDS = 120;
const SCARCE_BYTES = 512 * 1024 * 1024;
const CLOCKS_DIFFER_MS = 60_000;

/** Something that an operator should look at, in words, and where. */
export interface Concern {
  readonly text: string;
  readonly to?: '/operator/applications' | '/operator/collectors';
}

/** What an operator should look at. */
export function concernsOf(
  health: Health,
  t: Texts['health'],
  span: (seconds: number) => string,
): Concern[] {
  const {
    freeBytes,
    clockDifferenceMs = 0,
    mailFault,
    collectors,
    forwarding,
    lanes = [],
  } = health;
  const nameOf = (kind: string): string => knownWordsOf(t.jobs, kind) ?? kind;
  const said = (text: string): Concern => ({ text });
  return [
    ...(freeBytes !== undefined && freeBytes < SCARCE_BYTES ? [said(t.space)] : []),
    ...(Math.abs(clockDifferenceMs) > CLOCKS_DIFFER_MS ? [said(t.clock)] : []),
    ...lanes.flatMap(({ kind, oldestDueSeconds }) =>
      oldestDueSeconds > LATE_SECONDS ? [said(t.late(nameOf(kind), span(oldestDueSeconds)))] : [],
    ),
    ...lanes.flatMap(({ kind, failing }) =>
      failing > 0 ? [said(t.failing(nameOf(kind), failing))] : [],
    ),
    ...(mailFault === undefined ? [] : [said(t.mail(mailFault))]),
    ...(forwarding && forwarding.failing > 0
      ? [
          {
            text: `${t.forwarding(forwarding.failing)} ${forwarding.failingApplications.join(', ')}`,
            to: '/operator/applications' as const,
          },
        ]
      : []),
    ...(collectors && collectors.silent > 0
      ? [{ text: t.silent(collectors.silent), to: '/operator/collectors' as const }]
      : []),
  ];
}
