import type { ReactNode } from 'react';
import { Code } from '../../components/layout.tsx';
import { CopyButton } from '../../parts/copying/copy-button.tsx';

interface CommandsProps {
  /** What they do. */
  readonly label: string;
  readonly text: string;
}

/** Commands for a terminal, or another long text, with a button that copies them. */
export function CommandLineExamples({ label, text }: CommandsProps): ReactNode {
  return (
    <>
      <Code aria-label={label}>{text}</Code>
      <div>
        <CopyButton label={label} text={text} isSmall />
      </div>
    </>
  );
}
