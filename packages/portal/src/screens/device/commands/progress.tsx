import type { ReactNode } from 'react';
import { CheckIcon, CrossIcon } from '../../../parts/icons.tsx';
import { texts } from '../texts/index.ts';
import type { Command, CommandState } from './command.ts';
import styles from './progress.module.css';

const STEPS = ['queued', 'sent', 'confirmed', 'verified'] as const;

/** How many of the steps a command has behind it. */
function stepsBehind({ state, sentAt, confirmedAt }: Command): number {
  const place = STEPS.indexOf(state as (typeof STEPS)[number]);
  if (place >= 0) return place;
  return confirmedAt === undefined ? (sentAt === undefined ? 0 : 1) : 2;
}

const isStep = (state: CommandState): boolean => (STEPS as readonly string[]).includes(state);

/** How far a write has come: queued, sent, confirmed, verified; or where it ended. */
export function Progress({ command }: { readonly command: Command }): ReactNode {
  const t = texts.useTexts();
  const { state = 'queued', reason } = command;
  const behind = stepsBehind(command);
  const hasFailed = !isStep(state);
  return (
    <div className={styles.progress} role="status">
      <ol className={styles.steps} aria-label={t.progress}>
        {STEPS.map((step, i) => {
          const mark = i < behind || state === 'verified' ? 'done' : i > behind ? 'ahead' : hasFailed ? 'failed' : 'now';
          return (
            <li key={step} data-mark={mark} aria-current={mark === 'now' ? 'step' : undefined}>
              <span className={styles.mark}>
                {mark === 'done' && <CheckIcon size={14} />}
                {mark === 'failed' && <CrossIcon size={14} />}
              </span>
              {mark === 'failed' ? t.states[state] : t.states[step]}
            </li>
          );
        })}
      </ol>
      <p className={styles.lead}>
        {t.stateLeads[state]} {reason && <bdi lang="en">({reason})</bdi>}
      </p>
    </div>
  );
}
