import type { ReactNode } from 'react';
import { AlarmSign } from '../state-badge.tsx';
import styles from './level-badge.module.css';
import { texts } from './texts/index.ts';

/** How bad an alarm is, in the colour and with the sign of a device or plant that has one. @param level 1 tip, 2 alarm, 3 emergency */
export function LevelBadge({
  level,
  isOver,
}: {
  readonly level: string | undefined;
  readonly isOver: boolean;
}): ReactNode {
  const { levels } = texts.useTexts();
  return (
    <span className={styles.level} data-level={level} data-over={isOver || undefined}>
      {level !== '1' && <AlarmSign />}
      {levels[Number(level) as keyof typeof levels]}
    </span>
  );
}
