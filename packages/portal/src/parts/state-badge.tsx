import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { texts } from './texts/index.ts';

/** `building` is a plant without devices. */
export type BadgeState = 'online' | 'offline' | 'alarm' | 'building';

const KINDS = { online: 'good', offline: 'over', alarm: 'fault', building: 'over' } as const;

/** A state as a word beside a sign; the sign's form differs too, for those who do not see its colour. */
export function StateBadge({ state }: { readonly state: BadgeState }): ReactNode {
  const t = texts.useTexts();
  return (
    <Badge kind={KINDS[state]} state={state}>
      {state === 'alarm' ? (
        <AlarmSign />
      ) : (
        <svg viewBox="0 0 10 10" width={10} height={10} aria-hidden="true">
          {state === 'online' && <circle cx="5" cy="5" r="4.5" fill="currentColor" />}
          {state === 'offline' && (
            <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="2" />
          )}
          {state === 'building' && (
            <circle
              cx="5"
              cy="5"
              r="3.5"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeDasharray="2 2"
            />
          )}
        </svg>
      )}
      {t.state[state]}
    </Badge>
  );
}

/** The sign of an alarm, wherever one is named. */
export const AlarmSign = (): ReactNode => (
  <svg viewBox="0 0 10 10" width={10} height={10} aria-hidden="true">
    <path d="M5 0l5 9.5H0z" fill="currentColor" />
  </svg>
);
