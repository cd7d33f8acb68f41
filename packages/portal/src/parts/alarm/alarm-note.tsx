import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Actions, Form, Note } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { useChange } from '../../wire/queries.ts';
import { toast } from '../toast.tsx';
import type { Alarm } from './alarm.ts';
import styles from './alarm-note.module.css';
import { texts } from './texts/index.ts';

const LENGTH = 500;

interface AlarmNoteProps {
  readonly alarm: Alarm;
  /** What the alarm is called. */
  readonly title: string;
  /** Whether the reader took it on. */
  readonly isOwn: boolean;
  readonly isWriting: boolean;
  readonly onWriting: (isWriting: boolean) => void;
}

/** The note of the person who took an alarm on, for everybody who sees it, and where they write that. */
export function AlarmNote({
  alarm,
  title,
  isOwn,
  isWriting,
  onWriting,
}: AlarmNoteProps): ReactNode {
  const { note, notedAt, state, plant } = alarm;
  const zone = plant.timeZone;
  const t = texts.useTexts();
  const formats = useFormats();
  if (isOwn && isWriting) return <NoteForm alarm={alarm} onDone={() => onWriting(false)} />;
  const verb = note === undefined ? t.addNote : t.changeNote;
  return (
    <>
      {note !== undefined && (
        <blockquote className={styles.note}>
          <bdi>{note}</bdi>
          {notedAt !== undefined && (
            <Note component="footer">
              {t.noted(formats.dateTime(notedAt, zone))} ({formats.zone(zone, notedAt)})
            </Note>
          )}
        </blockquote>
      )}
      {isOwn && (note !== undefined || state === 'processed') && (
        <div>
          <Button
            variant="default"
            size="xs"
            aria-label={`${verb}: ${title}, ${plant.name}`}
            onClick={() => onWriting(true)}
          >
            {verb}
          </Button>
        </div>
      )}
    </>
  );
}

function NoteForm({
  alarm: { id, note = '' },
  onDone,
}: {
  readonly alarm: Alarm;
  readonly onDone: () => void;
}): ReactNode {
  const t = texts.useTexts();
  const [text, setText] = useState(note);
  const noting = useChange('alarm/note');
  const field = useRef<HTMLTextAreaElement>(null);
  // What was pressed to get here is gone.
  useEffect(() => field.current?.focus(), []);
  const say = (said: string): void =>
    noting.mutate({ id, note: said }, { onSuccess: onDone, onError: () => toast.fault(t.failed) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === note) onDone();
    else say(text);
  };
  return (
    <Form onSubmit={submit}>
      <Textarea
        ref={field}
        label={t.note}
        description={t.noteLead}
        maxLength={LENGTH}
        rows={2}
        value={text}
        // A note is one paragraph.
        onChange={({ currentTarget: { value } }) => setText(value.replaceAll(/\s/g, ' '))}
      />
      <Actions>
        <Button type="submit" size="xs" loading={noting.isPending}>
          {t.saveNote}
        </Button>
        {note !== '' && (
          <Button variant="default" size="xs" disabled={noting.isPending} onClick={() => say('')}>
            {t.removeNote}
          </Button>
        )}
        <Button variant="subtle" size="xs" onClick={onDone}>
          {note === '' ? t.noNote : t.keepNote}
        </Button>
      </Actions>
    </Form>
  );
}
