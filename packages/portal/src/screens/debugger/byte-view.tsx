import { compareBytes, type Cell } from '@helioport/sdk/diagnosis';
import { Fragment, type ReactNode } from 'react';
import { Note, Section } from '../../components/layout.tsx';
import styles from './debugger.module.css';
import { texts } from './texts/index.ts';

interface ByteViewProps {
  readonly service: string;
  /** Absent if it is not known. */
  readonly yours?: string;
}

/** Two strings to sign below each other, line by line. Invisible characters are named, and what differs is marked. */
export function ByteView({ service, yours }: ByteViewProps): ReactNode {
  const t = texts.useTexts();
  const { lines, first } = compareBytes(service, yours ?? service);
  const nameOf = (cell: Cell | undefined): string =>
    cell ? `${cell.name ?? `“${cell.character}”`} (${cell.bytes})` : t.end;
  return (
    <Section component="div">
      <h3>{t.compare}</h3>
      {yours !== undefined && (
        <p>
          {first ? t.difference(first.at + 1, nameOf(first.theirs), nameOf(first.ours)) : t.same}
        </p>
      )}
      {/* Long lines scroll, also by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.bytes} tabIndex={0} role="group" aria-label={t.compare}>
        {lines.map(({ theirs, ours }, i) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={i}>
            <Line who={t.service} cells={theirs} />
            {yours !== undefined && <Line who={t.yours} cells={ours} isYours />}
          </Fragment>
        ))}
      </div>
      {yours === undefined && <Note>{t.yoursUnknown}</Note>}
      <Note>{t.legend}</Note>
    </Section>
  );
}

interface LineProps {
  readonly who: string;
  readonly cells: readonly Cell[];
  readonly isYours?: boolean;
}

function Line({ who, cells, isYours = false }: LineProps): ReactNode {
  return (
    <div className={styles.row} data-yours={isYours || undefined}>
      <span className={styles.who}>{who}</span>
      <code dir="ltr">
        {runsOf(cells).map(({ text, at, differs, isName, bytes }) => {
          const Tag = differs ? 'mark' : 'span';
          return (
            <Tag
              key={at}
              data-name={isName || undefined}
              title={isName || differs ? bytes : undefined}
            >
              {text}
            </Tag>
          );
        })}
      </code>
    </div>
  );
}

interface Run {
  readonly text: string;
  readonly at: number;
  readonly differs: boolean;
  /** Whether the text is the name of an invisible character. */
  readonly isName: boolean;
  readonly bytes: string;
}

/** Neighbours that are shown alike, as one; each invisible character stands alone. Fonts have signs for few of them, so they are named. */
function runsOf(cells: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  for (const { character, name, at, differs, bytes } of cells) {
    const isName = name !== undefined && character !== ' ';
    const text = isName ? name : character === ' ' ? '·' : character;
    const last = runs.at(-1);
    if (last && !isName && !last.isName && last.differs === differs)
      runs[runs.length - 1] = { ...last, text: last.text + text, bytes: `${last.bytes} ${bytes}` };
    else runs.push({ text, at, differs, isName, bytes });
  }
  return runs;
}
