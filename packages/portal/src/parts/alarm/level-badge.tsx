import type { AlarmLevel } from '@helioport/contract';
import type { ReactNode } from 'react';
import { AlarmSign } from '../state-badge.tsx';
import styles from './level-badge.module.css';
import { texts } from './texts/index.ts';

/** How bad an alarm is, in the colour and with the sign of a device or plant that has one. */
export function LevelBadge({
  level,
  isOver,
}: {
  readonly level: AlarmLevel;
  readonly isOver: boolean;
}): ReactNode {
  const { levels } = texts.useTexts();
  return (
    <span className={styles.level} data-level={level} data-over={isOver || undefined}>
      {level !== 'tip' && <AlarmSign />}
      {levels[level]}
    </span>
  );
}
