import type { ReactNode } from 'react';
import { Section, Soft } from '../../components/layout.tsx';
import { CheckIcon, CrossIcon, WarningIcon } from '../icons.tsx';
import type { Command, ShownCommandState } from './command.ts';
import styles from './progress.module.css';
import { texts } from './texts/index.ts';

const STEPS = ['queued', 'sent', 'confirmed', 'verified'] as const;

/** How many of the steps a command has behind it. */
function stepsBehind({ state, sentAt, confirmedAt }: Command): number {
  const place = STEPS.indexOf(state as (typeof STEPS)[number]);
  if (place >= 0) return place;
  return confirmedAt === undefined ? (sentAt === undefined ? 0 : 1) : 2;
}

const isStep = (state: ShownCommandState): boolean => (STEPS as readonly string[]).includes(state);

interface ProgressProps {
  readonly command: Command;
  /** Whether the new value has none, as the device is set now. */
  readonly isWithoutEffect?: boolean;
}

/** How far a write has come: queued, sent, confirmed, verified; or where it ended. */
export function Progress({ command, isWithoutEffect = false }: ProgressProps): ReactNode {
  const t = texts.useTexts();
  const { state = 'queued', reason } = command;
  const behind = stepsBehind(command);
  const hasFailed = !isStep(state);
  const isIdle = state === 'verified' && isWithoutEffect;
  const markOf = (i: number): string => {
    if (isIdle && i === behind) return 'idle';
    if (i < behind || state === 'verified') return 'done';
    return i > behind ? 'ahead' : hasFailed ? 'failed' : 'now';
  };
  return (
    <Section component="div" role="status">
      <ol className={styles.steps} aria-label={t.progress}>
        {STEPS.map((step, i) => {
          const mark = markOf(i);
          return (
            <li key={step} data-mark={mark} aria-current={mark === 'now' ? 'step' : undefined}>
              <span className={styles.mark}>
                {mark === 'done' && <CheckIcon size={14} />}
                {mark === 'failed' && <CrossIcon size={14} />}
                {mark === 'idle' && <WarningIcon size={14} />}
              </span>
              {mark === 'failed'
                ? t.states[state]
                : mark === 'idle'
                  ? t.withoutEffect
                  : t.states[step]}
            </li>
          );
        })}
      </ol>
      <Soft>
        {isIdle ? t.withoutEffectLead : t.stateLeads[state]}{' '}
        {reason && <bdi lang="en">({reason})</bdi>}
      </Soft>
    </Section>
  );
}
