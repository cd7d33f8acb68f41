import type { SupportLook } from '@helioport/contract';

/** What an operation tells of, as people call it. */
type LookKind = 'plants' | 'devices' | 'alarms' | 'strategies' | 'settings';

function kindOf(operation: string): LookKind {
  if (operation.startsWith('alarm')) return 'alarms';
  if (operation.startsWith('strategy/')) return 'strategies';
  if (operation.startsWith('command/') || operation.startsWith('control/')) return 'settings';
  return /^(plant\/|station|userStation)/.test(operation) ? 'plants' : 'devices';
}

/** Something that an operator looked at, by whichever questions. */
interface MergedLook extends Pick<SupportLook, 'operator' | 'subject' | 'lastAt' | 'count'> {
  readonly kind: LookKind;
}

/** Looks at the same thing as one, which was looked at as often as the most frequent question. */
export function mergedLooks(looks: readonly SupportLook[]): MergedLook[] {
  const same = Map.groupBy(
    looks,
    ({ operator, operation, subject }) => `${operator} ${kindOf(operation)} ${subject}`,
  );
  return [...same.values()].map((one) => ({
    operator: one[0]!.operator,
    kind: kindOf(one[0]!.operation),
    subject: one[0]!.subject,
    lastAt: Math.max(...one.map(({ lastAt }) => lastAt)),
    count: Math.max(...one.map(({ count }) => count)),
  }));
}
